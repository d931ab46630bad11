"""The package declares the C interface by hand (_library.py). Here each declaration is held against the header, which a wrong one would
read or write beside: a member at another place, an argument too few."""

import ctypes
import re
from pathlib import Path

import pytest

from treewright import _library

HEADER = Path(__file__).resolve().parents[2] / "include/treewright/treewright.h"
NUMBERS = {
    "double": ctypes.c_double,
    "char": ctypes.c_char,
    "size_t": ctypes.c_size_t,
    "int64_t": ctypes.c_int64,
    "int32_t": ctypes.c_int32,
    "uint8_t": ctypes.c_uint8,
    "tw_status": ctypes.c_int32,
    "tw_number": ctypes.c_int32,
    "tw_column_fact": ctypes.c_int32,
    "tw_loss": ctypes.c_int32,
}
NAMES = {
    "tw_path_point": "PathPointInfo",
    "tw_feature": "FeatureInfo",
    "tw_trade_off_corner": "TradeOffCornerInfo",
    "tw_least_cost": "LeastCostInfo",
    "tw_near_trees_summary": "NearTreesInfo",
}
TEXT = re.sub(r"/\*.*?\*/", " ", HEADER.read_text(), flags=re.S)


def kind_of_c(declaration):
    """A number's ctypes type; "text" for const char*; "pointer" for other pointers and for functions to call back."""
    stars = declaration.count("*")
    base = re.sub(r"\bconst\b|\*", " ", declaration).split()[0]
    if stars == 0:
        return "pointer" if base in ("tw_listener", "tw_elsewhere") else NUMBERS[base]
    return "text" if base == "char" and stars == 1 and "const" in declaration else "pointer"


def kind_of_python(declared):
    if declared in NUMBERS.values():
        return declared
    if declared is ctypes.c_char_p:
        return "text"
    assert declared is ctypes.c_void_p or issubclass(declared, (ctypes._Pointer, ctypes._CFuncPtr)), declared
    return "pointer"


def same(in_c, in_python):
    """Bytes are handed over as text, and text to be freed later as a pointer."""
    return in_c == in_python or {in_c, in_python} == {"text", "pointer"}


def structs_of_header():
    """name: [(member, kind)]"""
    found = {}
    for body, name in re.findall(r"typedef struct \{(.*?)\} (\w+);", TEXT, flags=re.S):
        members = []
        for line in filter(None, (part.strip() for part in body.split(";"))):
            first, *others = line.split(",")
            words = first.rsplit(None, 1) if "*" not in first else [first[: first.rindex("*")], first[first.rindex("*") :]]
            for declarator in [words[1], *others]:
                stars = "*" * declarator.count("*")
                members.append((declarator.replace("*", "").strip(), kind_of_c(words[0] + stars)))
        found[name] = members
    return found


def functions_of_header():
    """name: (kind of what it returns or None, [kind of each argument])"""
    found = {}
    for returned, name, arguments in re.findall(r"TW_API ([\w *]+?)\s*\b(tw_\w+)\(([^)]*)\);", TEXT):
        kinds = [] if arguments.strip() == "void" else [kind_of_c(argument) for argument in arguments.split(",")]
        found[name] = (None if returned.strip() == "void" else kind_of_c(returned), kinds)
    return found


STRUCTS, FUNCTIONS = structs_of_header(), functions_of_header()


def test_header_is_read_whole():
    assert len(FUNCTIONS) == TEXT.count("TW_API ") - TEXT.count("define TW_API ")
    assert len(STRUCTS) == TEXT.count("typedef struct {")
    assert all(members[0] == ("struct_size", ctypes.c_size_t) for members in STRUCTS.values())


@pytest.mark.parametrize("name", STRUCTS)
def test_struct(name):
    declared = getattr(_library, NAMES.get(name) or name[3:].title().replace("_", ""))
    members = [("struct_size", ctypes.c_size_t), *declared._fields_]
    assert [member for member, _ in members] == [member for member, _ in STRUCTS[name]]
    for (member, kind), (_, type_) in zip(STRUCTS[name], members, strict=True):
        assert same(kind, kind_of_python(type_)), f"{name}.{member}: {type_} for {kind}"


def test_no_struct_beside_the_header():
    assert len(_library._Struct.__subclasses__()) == len(STRUCTS)


# Declared, as _library._declare does for each name that the package calls.
CALLED = sorted(set(re.findall(r"\btw_\w+", Path(_library.__file__).read_text())) & set(vars(_library.LIB)))


@pytest.mark.parametrize("name", CALLED)
def test_function(name):
    returned, arguments = FUNCTIONS[name]
    declared = getattr(_library.LIB, name)
    types = declared.argtypes or []
    assert len(types) == len(arguments), f"{name} takes {len(arguments)} arguments"
    for place, (kind, type_) in enumerate(zip(arguments, types, strict=True)):
        assert same(kind, kind_of_python(type_)), f"{name}, argument {place}: {type_} for {kind}"
    if returned is None:
        assert declared.restype is None
    else:
        assert same(returned, kind_of_python(declared.restype))


def test_every_called_function_is_declared():
    package = Path(_library.__file__).parent
    called = {name for file in package.glob("*.py") for name in re.findall(r"\bLIB\.(tw_\w+)", file.read_text())}
    assert called <= set(CALLED), called - set(CALLED)
    assert set(CALLED) <= set(FUNCTIONS), set(CALLED) - set(FUNCTIONS)


def test_constants():
    assert re.search(r"#define TW_ABI_VERSION (\d+)", TEXT).group(1) == str(_library.ABI_VERSION)
    values = {name: int(value) for name, value in re.findall(r"\b(TW_\w+) = (\d+)", TEXT)}
    assert (values["TW_DATES"], values["TW_TEXTS"], values["TW_LEFT_OUT"]) == (_library.DATES, _library.TEXTS, _library.LEFT_OUT)
    assert (values["TW_OK"], values["TW_OUT_OF_MEMORY"]) == (_library._OK, _library._OUT_OF_MEMORY)
    mistakes = {values[name] for name in ("TW_BAD_OPTION", "TW_BAD_DATA", "TW_BAD_FILE", "TW_TOO_LARGE")}
    assert set(_library._USER_MISTAKES) == mistakes
