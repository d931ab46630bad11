"""Files of proofs that break one rule of the format each, made from the proofs of forge.py."""

import json
import math

from treewright import check_proof as plain


def broken_rules(forger):
    """For each rule that a file can break alone, its name and such a file. The proof holds without it."""
    body = forger.proved(forger.optimum)
    header, reader = forger.header(forger.optimum), forger.reader
    encoded = forger.encoded(body)
    text = json.dumps({**header, "bytes": len(encoded)}, separators=(",", ":"))

    def with_(**changes):
        return forger.file({**header, **changes}, body)

    def read_as(**changes):
        return with_(reader={**reader, **changes})

    yield "version", forger.signed(text, encoded, plain.OLD_FIRST_LINES[1])
    yield "the other version", forger.signed(text, encoded, plain.FIRST_LINE if forger.min_rows > 1 else plain.FIRST_LINE_OF_LEAVES)
    if forger.min_rows > 1:
        for value in [-1, 0, 1, 2**53, True, None, 2.5]:
            yield f"min_rows is {value}", with_(min_rows=value)
    yield "checksum", forger.signed(text, encoded)[:-1] + b"x"
    yield "something behind", forger.signed(text, encoded) + b"\n"
    yield "two files", forger.honest() * 2
    yield "blanks", forger.signed(text.replace(":", ": ", 1), encoded)
    yield "doubled key", forger.signed(text.replace('"grid"', '"grid":0,"grid"', 1), encoded)
    yield "fraction", forger.signed(text.replace(f'"rows":{header["rows"]}', f'"rows":{header["rows"]}.0'), encoded)
    yield "escape", forger.signed(text.replace("forger", "\\u0066orger"), encoded)
    yield "nesting", forger.signed(text.replace('"forger"', "[" * 100000 + "]" * 100000), encoded)
    yield "unknown key", with_(more=1)
    yield "order of keys", forger.file(dict(reversed(header.items())), body)
    yield "size of the body", forger.signed(text.replace(f'"bytes":{len(encoded)}', f'"bytes":{len(encoded) + 1}'), encoded)
    for key in header:
        yield (
            f"no {key}",
            forger.signed(
                json.dumps({k: v for k, v in {**header, "bytes": len(encoded)}.items() if k != key}, separators=(",", ":")), encoded
            ),
        )
    for key in reader:
        yield f"no {key}", with_(reader={k: v for k, v in reader.items() if k != key})
    for key, values in {
        "rows": [-1, 2**53, 1.5, True, None, header["rows"] + 1], "grid": [-1, 53, True, math.nan], "depth": [-1, 61, False, math.inf],
        "price": [-1, 2**53, 2**64, True, 1e999], "bound": [-1, 2**53, math.nan, "0"], "made_by": [1, None],
        "max_splits": [-1, 1024, True, 0.5], "orderings": [None, {}, 1],
        "unit": [[0, 0], [2, 0], [-1, 0], [1, 1024], [1, -1075], [2**53 + 1, 0], [2**53 - 1, 1023], [1, 0, 0], 1.0, [True, 0]],
        "table": ["0" * 16, None], "reader": [None, []],
    }.items():  # fmt: skip
        for value in values:
            yield f"{key} is {value}", with_(**{key: value})
    yield "target", read_as(target="x0")
    yield "neither a target nor costs", read_as(target=None, cost_columns=None, against_rest=None, cost_matrix=None)
    yield "a target and columns of costs", read_as(target="y", cost_columns=["c0", "c1"], left_out=["c2"])
    yield "one column of costs", read_as(target=None, cost_columns=["c0"])
    yield "a column of costs twice", read_as(target=None, cost_columns=["c0", "c0"])
    yield "columns of costs that are texts", read_as(target=None, cost_columns=["y", "c0"], left_out=["c1", "c2", "w"])
    yield "a class that is none", read_as(against_rest="zz")
    if forger.reader["target"] is not None and forger.reader["cost_matrix"] is None:
        rows = zip(*(column.codes for column in forger.table.columns))
        text = "".join(" ".join(["-" if code < 0 else str(code) for code in row] + ["0"]) + "\n" for row in rows)
        claim = {**header, "reader": {**reader, "against_rest": "zz"}, "table": plain.fnv1a(text.encode()), "bound": 0}
        yield "a class that is none, and its table", forger.file(claim, [])
    matrix = [[[0, 0], [7, 0]], [[1, 0], [0, 0]]]
    yield "other costs", read_as(cost_matrix=matrix)
    yield "costs of four classes", read_as(cost_matrix=[line * 2 for line in matrix] * 2)
    yield "costs that are not square", read_as(cost_matrix=[*matrix, matrix[0]])
    yield "an even cost", read_as(cost_matrix=[[[0, 0], [14, -1]], matrix[1]])
    yield "an infinite cost", read_as(cost_matrix=[[[0, 0], [-(2**53 - 1), 1023]], matrix[1]])
    yield "no costs", read_as(cost_matrix=[])
    yield "no such target", read_as(target="none")
    yield "weights", read_as(weights="x0")
    yield "left out", read_as(left_out=["w", "x0"])
    yield "left out twice", read_as(left_out=["w", "w"])
    yield "missing twice", read_as(missing=["?", "?"])
    yield "missing out of order", read_as(missing=["b", "a"])
    yield "missing empty", read_as(missing=["", "?"])
    yield "categories", read_as(categories=["y"])
    yield "written", read_as(written=[["x0", "point"]])
    yield "class weights of no class", read_as(class_weights=[["zz", [1, 0]]])
    yield "class weights out of order", read_as(class_weights=[["b", [1, 0]], ["a", [1, 0]]])
    if forger.orderings:
        yield "no orderings", with_(orderings=[])
        yield "an ordering twice", with_(orderings=[*header["orderings"], header["orderings"][-1]])
        for i, ordering in enumerate(header["orderings"]):
            rest = header["orderings"][:i], header["orderings"][i + 1 :]
            for change in [{"column": 99}, {"name": "none"}, {"more": 1}, {"column": True}]:
                yield f"ordering {change}", with_(orderings=[*rest[0], {**ordering, **change}, *rest[1]])
            for levels in [[], [["zz"], ["r"]], [[None]], None, [[]]]:
                changed = {"column": ordering["column"], "name": ordering["name"], "levels": levels}
                yield f"levels {levels}", with_(orderings=[*rest[0], changed, *rest[1]])
            if "levels" in ordering:
                groups = ordering["levels"]
                for levels in [
                    groups[:-1],
                    [*groups, groups[0]],
                    [*groups, []],
                    [*groups, ["zz"]],
                    [[*groups[0], *groups[0]], *groups[1:]],
                ]:
                    yield f"levels {levels}", with_(orderings=[*rest[0], {**ordering, "levels": levels}, *rest[1]])
    yield "a number more", forger.file(header, [*body, 0])
    yield "a redundant byte", forger.file(header, encoded[:-1] + bytes([encoded[-1] | 128, 0]) if encoded else b"\x80\0")
    if body:
        yield "a number less", forger.file(header, body[:-1])
        yield "a number too large", forger.file(header, [2**53, *body[1:]])
        yield "an endless number", forger.file(header, b"\xff" * 20)
