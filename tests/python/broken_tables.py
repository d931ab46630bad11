"""Canonical tables that break one rule of the format each, and unusual ones that keep to it."""

import json

from forge import orderings_of

from treewright import check_proof as plain

CLASSES = """treewright table 1
labels "a" "b"
costs 0 1
costs 2.5 0
number "x0"
level "x1"
weight "w"
class "y"
rows 4
7 "r" 1 "a"
- "g" 0.5 "b"
2 - 1 "a"
3 "r" 2 "b"
"""
COSTS = """treewright table 1
labels "b" "a"
number "x0"
cost "b"
cost "a"
rows 3
7 1 -2
2 0 0.5
7 3 1
"""
# Of a number, beside 7: those that are no spelling, and spellings of other values.
NO_NUMBERS = """+7 07 7.0 7. .7 -0 -.7 7e0 7e+5 7E5 7e05 70e-1 0.70 0x7 7_0 inf -inf nan NaN 1e400
1e999999999999999 9e307 -1.1e308 - -- e5 7e 7e- 7.e5 100000000000000000 1e15 0.00007 0.1000000000000000055511151231257827
0.30000000000000001
9007199254740993 4e-324 2e-324 1e-400 7.1202363472230446e-307
1234567890123456789012345678901234567890123456789 7-7 7.7.7 7e5e5 "7" 7,5 7% 2020-03-25 TRUE""".split()
NUMBERS = """0 -7 0.5 -0.5 1e16 1e22 1e300 8.9e307 -8.9e307 1e-5 0.0001 1.5e-7 5e-324 2.2250738585072014e-308 7.120236347223045e-307
0.1 0.30000000000000004 1000000000000000 9007199254740992 123456789.125 1234567890123456.8""".split()


def proof_of_nothing(table):
    """A proof that no tree costs less than nothing, which holds for every table of those columns."""
    read = plain.read_table(CLASSES.encode() if b'\nclass "' in table else COSTS.encode())
    orderings = [o for i, column in enumerate(read.columns) for o in orderings_of(column, i, None)]
    header = {"made_by": "forger", "table": plain.fnv1a(table), "unit": [1, -20], "grid": 0, "depth": 0, "max_splits": None, "min_rows": 1}
    header |= {"price": 0, "bound": 0, "orderings": orderings, "bytes": 0}
    content = plain.FIRST_LINE + json.dumps(header, separators=(",", ":")).encode() + b"\n"
    return content + plain.fnv1a(content).encode()


def changed_tables(table, changes):
    for old, news in changes.items():
        assert old in table, old
        for new in news:
            yield f"{old!r} is {new!r}", table.replace(old, new, 1)


def broken_tables():
    """For each rule that a table can break alone, its name and such a table. Else they would be read."""
    yield from changed_tables(CLASSES, {"\n7 ": [f"\n{number} " for number in NO_NUMBERS if number != "-"]})
    yield from changed_tables(CLASSES, {'"r" 1 ': [f'"r" {number} ' for number in [*NO_NUMBERS, "-1", "-0.5"]]})
    yield from changed_tables(CLASSES, {"costs 2.5": [f"costs {number}" for number in NO_NUMBERS]})
    yield from changed_tables(COSTS, {"\n7 1": [f"\n7 {number}" for number in NO_NUMBERS]})
    yield from changed_tables(
        CLASSES,
        {
            "treewright table 1\n": [
                "",
                "treewright table 2\n",
                "treewright table 1 \n",
                "\ntreewright table 1\n",
                "\ufefftreewright table 1\n",
            ],
            'labels "a" "b"\n': [
                "",
                "labels\n",
                'labels "b" "a"\n',
                'labels "a" "a"\n',
                'labels "a"\n',
                'labels "a" "b" "c"\n',
                "labels a b\n",
                'labels "a"\nlabels "b"\n',
                'Labels "a" "b"\n',
            ],
            "costs 0 1\n": ["", "costs 0\n", "costs 0 1 2\n", "costs\n", "costs 0 1\ncosts 0 1\n"],
            'number "x0"': [
                'number "x1"',
                "number",
                "number x0",
                'number "x0" "x"',
                'integer "x0"',
                'number "x0',
                'number x0"',
                'number "x"0"',
                'number  "x0"',
                'number\t"x0"',
                'number "x0" ',
                ' number "x0"',
                'number "x0"\r',
                'number "x0"\n',
                'number ""x0""',
                "number 'x0'",
                'number"x0"',
                'number "\\\\"',
                'number "\\""',
                'number "\\n"',
                'number "\\x4"',
                'number "\\x41"',
                'number "\\x20"',
                'number "\\xC3"',
                'number "\\u00e9"',
                'number "é"',
                'number "\x7f"',
                'number "\t"',
                'number "\0"',
                'number "x0" # a remark',
                'weight "x0"',
                'class "x0"',
            ],
            'level "x1"': ['cost "x1"', 'level "x0"'],
            'weight "w"\n': ['weight "w"\nweight "v"\n', "weight\n", 'weight "w"\nnumber "x2"\n'],
            'class "y"\n': [
                "",
                'class "y"\nclass "z"\n',
                'class "y"\ncost "a"\ncost "b"\n',
                "class\n",
                'cost "a"\ncost "b"\n',
                'class "y"\nweight "v"\n',
            ],
            "rows 4\n": [
                "",
                "rows\n",
                "rows 3\n",
                "rows 5\n",
                "rows 04\n",
                "rows 4.0\n",
                'rows "4"\n',
                "rows -4\n",
                "rows 4e0\n",
                "rows 4 4\n",
                "rows 1" + "0" * 30 + "\n",
            ],
            '7 "r" 1 "a"\n': [
                "",
                '"r" 7 1 "a"\n',
                '7 r 1 "a"\n',
                '7 "r" 1 a\n',
                '7 "r" 1 "c"\n',
                '7 "r" 1 -\n',
                '7 "r" - "a"\n',
                '7 "r" 1\n',
                '7 "r" 1 "a" "a"\n',
                '7  "r" 1 "a"\n',
                '7 "r" 1 "a" \n',
                '7,"r",1,"a"\n',
                '7\t"r"\t1\t"a"\n',
                '7 "r" 1 "a"\r\n',
                '7 "r" 1 "a"\n\n',
                '"7" "r" 1 "a"\n',
                '? "r" 1 "a"\n',
                '7 "r"1 "a"\n',
                '7 7 1 "a"\n',
                '7 "r" 1 "\\x61"\n',
                'NA "r" 1 "a"\n',
            ],
            '3 "r" 2 "b"\n': [
                '3 "r" 2 "b"',
                '3 "r" 2 "b"\n\n',
                '3 "r" 2 "b"\n ',
                '3 "r" 2 "b"\n\0',
                '3 "r" 2 "b"\n\x1a',
                '3 "r" 2 "b"\n3 "r" 2 "b"\n',
                "",
            ],
        },
    )
    yield "a label without rows", CLASSES.replace("costs 0 1\ncosts 2.5 0\n", "").replace('"b"', '"a"').replace('"a" "a"', '"a" "b"')
    yield from changed_tables(
        COSTS,
        {
            'labels "b" "a"': ['labels "a" "b"', 'labels "b"', 'labels "b" "a" "c"'],
            'cost "b"\n': ["", 'cost "b"\ncost "b"\n', 'cost "c"\n', "cost b\n", 'weight "w"\ncost "b"\nweight "v"\n'],
            'cost "a"\n': ["", 'class "a"\n'],
            'number "x0"\n': ['costs 0 1\ncosts 1 0\nnumber "x0"\n'],
            "7 1 -2\n": ["7 1\n", "7 1 -2 3\n", "7 - -2\n", '7 1 "a"\n'],
        },
    )


def sound_tables():
    """Tables in unusual spellings that keep to the page."""
    yield "no change", CLASSES
    yield "no change", COSTS
    yield from changed_tables(CLASSES, {"\n7 ": [f"\n{number} " for number in [*NUMBERS, "-"]]})
    yield from changed_tables(CLASSES, {'"r" 1 ': [f'"r" {number} ' for number in ["0", "0.1", "3", "1e-5"]]})
    yield from changed_tables(COSTS, {"\n7 1": [f"\n7 {number}" for number in ["0", "-7", "0.1", "1e-5"]]})
    names = [" ", "", "x1", "-", "7", "rows 4", "\\x0a", "\\x22", "\\x5c", "\\xff", "\\x01", "\\xe2\\x80\\xae", "~!#[]{}'", "NA"]
    changes = {'class "y"': [f'class "{name}"' for name in names], 'weight "w"': [f'weight "{name}"' for name in names if name]}
    changes |= {'number "x0"': [f'number "{name}"' for name in names if name != "x1"]}
    yield from changed_tables(CLASSES, changes)
