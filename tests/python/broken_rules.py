"""Files of proofs that break one rule of the format each, made from the proofs of forge.py."""

import json
import math

from treewright import check_proof as plain


def broken_rules(forger):
    """For each rule that a file can break alone, its name and such a file. The proof holds without it."""
    body = forger.proved(forger.optimum)
    header = forger.header(forger.optimum)
    encoded = forger.encoded(body)
    text = json.dumps({**header, "bytes": len(encoded)}, separators=(",", ":"))

    def with_(**changes):
        return forger.file({**header, **changes}, body)

    yield "version", forger.signed(text, encoded, b"treewright proof 3\n")
    yield "a table", forger.signed(text, encoded, plain.FIRST_LINE_OF_TABLE)
    yield "checksum", forger.signed(text, encoded)[:-1] + b"x"
    yield "something behind", forger.signed(text, encoded) + b"\n"
    yield "two files", forger.honest() * 2
    yield "blanks", forger.signed(text.replace(":", ": ", 1), encoded)
    yield "doubled key", forger.signed(text.replace('"grid"', '"grid":0,"grid"', 1), encoded)
    yield "fraction", forger.signed(text.replace(f'"min_rows":{header["min_rows"]}', f'"min_rows":{header["min_rows"]}.0'), encoded)
    yield "escape", forger.signed(text.replace("forger", "\\u0066orger"), encoded)
    for byte in ("\x7f", "\xe9", "\t"):
        yield f"the byte {byte!r}", forger.signed(text.replace("forger", f"forger{byte}"), encoded)
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
    wrong = {
        "min_rows": [-1, 0, 2**53, 2.5, True, None], "grid": [-1, 53, True, math.nan], "depth": [-1, 61, False, math.inf],
        "price": [-1, 2**53, 2**64, True, 1e999], "bound": [-1, 2**53, math.nan, "0"], "made_by": [1, None],
        "max_splits": [-1, 1024, True, 0.5], "orderings": [None, {}, 1],
        "unit": [[0, 0], [2, 0], [-1, 0], [1, 1024], [1, -1075], [2**53 + 1, 0], [2**53 - 1, 1023], [1, 0, 0], 1.0, [True, 0]],
        "table": ["0" * 16, None, header["table"].upper() + " "],
    }  # fmt: skip
    for key, values in (wrong | forger.wrong_values).items():
        for value in values:
            yield f"{key} is {value}", with_(**{key: value})
    if forger.orderings:
        yield "no orderings", with_(orderings=[])
        yield "an ordering twice", with_(orderings=[*header["orderings"], header["orderings"][-1]])
        for i, ordering in enumerate(header["orderings"]):
            rest = header["orderings"][:i], header["orderings"][i + 1 :]
            for change in [{"column": 99}, {"name": "x0"}, {"more": 1}, {"column": True}]:
                yield f"ordering {change}", with_(orderings=[*rest[0], {**ordering, **change}, *rest[1]])
            for levels in [[], [["zz"], ["r"]], [[None]], None, [[]]]:
                changed = {"column": ordering["column"], "levels": levels}
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
