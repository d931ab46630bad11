"""Which defects are planted, and how hundreds of them share one build.

A mutant changes one place of one line. Its text is what a person would have typed by mistake. Most mutants also have a *switched* text
(switch.h), which is the original unless the mutant's number is on. So the compiler runs once for all of them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [
    "src/treewright/search/**/*.cpp",
    "src/treewright/search/**/*.h",
    "src/treewright/proof/**/*.cpp",
    "src/treewright/proof/**/*.h",
    "src/treewright/data/costs/price_grid.cpp",
    "src/treewright/data/costs/whole_weights.cpp",
]

Edit = tuple[int, int, str]  # from, to, and the text that stands there instead
Switched = Callable[[str, "re.Match[str]"], Edit | None]  # its text has NUMBER for the number of the mutant


def turn(was: str, now: str) -> Switched:
    sign = "<{}>" if was in ("Lt", "Le", "Gt", "Ge") else "=={}=="
    return lambda _, match: (
        match.start(),
        match.end(),
        " " + sign.format(f" ::mutant::Turn<NUMBER, ::mutant::{was}, ::mutant::{now}>{{}} ") + " ",
    )


def sign(is_sum: str) -> Switched:
    return lambda _, match: (match.start(), match.end(), f" + ::mutant::Sign<NUMBER, {is_sum}>{{}} + ")


def extreme(least: str) -> Switched:
    return lambda _, match: (match.start(), match.end(), f"::mutant::Extreme<NUMBER, {least}>::of")


def one(before: str) -> Switched:
    return lambda _, match: (match.start(), match.end(), f" {before} (::mutant::on(NUMBER) ? 0 : 1)")


def dropped(before: str) -> Switched:
    def text(_: str, match: re.Match[str]) -> Edit:
        operator, term = match[0].strip().split(" ", 1)
        condition = (
            f"::mutant::drop<NUMBER>({term})" if before == "" else f"({before}::mutant::on(NUMBER) {'&&' if before else '||'} ({term}))"
        )
        return match.start(), match.end(), f" {operator} {condition}"

    return text


def dropped_condition(_: str, match: re.Match[str]) -> Edit:
    return match.start(), match.end(), f" && (::mutant::on(NUMBER) || ({match[0].strip()[3:]}))"


def end_of(code: str, at: int, step: int) -> int:
    """Where the operand that begins at a logical operator ends: at an operator that binds less, or at the bracket around it."""
    depth = 0
    inner, outer = ("([{", ")]}") if step > 0 else (")]}", "([{")
    while 0 <= at < len(code):
        c, before, after = code[at], code[at - 1], code[at + 1 : at + 2]
        if c in inner:
            depth += 1
        elif c in outer:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0:
            label = c == ":" and ":" not in (before, after)
            assignment = c == "=" and before == after == " "
            if c in ",;?" or "||" in (c + after, before + c) or label or assignment:
                break
        at += step
    else:
        return -1
    return at


def logic(now: str) -> Switched:
    def text(code: str, match: re.Match[str]) -> Edit | None:
        operator = match[0].strip()
        last, first = end_of(code, match.end(), 1), end_of(code, match.start() - 1, -1)
        if first < 0:
            first = re.match(r"\s*", code).end() - 1 if code.lstrip().startswith("return ") else -1  # type: ignore[union-attr]
        if first < 0 or last < 0:
            return None
        left, right = code[first + 1 : match.start()], code[match.end() : last]
        lead = re.match(r"\s*(?:return )?", left)[0]  # type: ignore[index]
        left = left[len(lead) :]
        return first + 1, last, f"{lead}(::mutant::on(NUMBER) ? (({left}) {now} ({right})) : (({left}) {operator} ({right})))"

    return text


def name(now: str) -> Switched:
    def text(code: str, match: re.Match[str]) -> Edit | None:
        if code[match.end() : match.end() + 1] in ("(", "{"):
            return None
        owner = re.search(r"(?:\w+(?:\[[^\[\]]*\]|\([^()]*\))?(?:\.|->))*$", code[: match.start()])
        start = owner.start() if owner else match.start()
        if start > 0 and code[start - 1] in ".>)]":
            return None
        prefix = code[start : match.start()]
        return start, match.end(), f"(::mutant::on(NUMBER) ? {prefix}{now} : {prefix}{match[0]})"

    return text


def never(_: str, match: re.Match[str]) -> Edit:
    return match.start(), match.end(), "if (!::mutant::on(NUMBER) && "


def dropped_term(_: str, match: re.Match[str]) -> Edit:
    return match.start(), match.end(), f" {match[0][1]} ::mutant::drop<NUMBER>({match[0][3:]})"


def dropped_alternative(_: str, match: re.Match[str]) -> Edit:
    return match.start(), match.end(), f" || (!::mutant::on(NUMBER) && ({match[0][4:]}))"


OPERAND = r"[\w!.\->]+(?:\([\w., ]*\))?(?: [<>=!]=? [\w.\->]+)?(?=[;)]| [&|?])"
OPERATORS: list[tuple[str, str, str, Switched]] = [
    ("turned comparison", r" < ", " <= ", turn("Lt", "Le")),
    ("turned comparison", r" <= ", " < ", turn("Le", "Lt")),
    ("turned comparison", r" > ", " >= ", turn("Gt", "Ge")),
    ("turned comparison", r" >= ", " > ", turn("Ge", "Gt")),
    ("turned equality", r" == ", " != ", turn("Eq", "Ne")),
    ("turned equality", r" != ", " == ", turn("Ne", "Eq")),
    ("min for max", r"\bstd::min\b", "std::max", extreme("true")),
    ("max for min", r"\bstd::max\b", "std::min", extreme("false")),
    ("one less", r" \+ 1\b(?!\.)", "", one("+")),
    ("one more", r" - 1\b(?!\.)", "", one("-")),
    ("difference for sum", r" \+ (?!1\b)", " - ", sign("true")),
    ("sum for difference", r" - (?!1\b)", " + ", sign("false")),
    ("dropped term", r" [+-] (?!1\b)\w[\w.\->]*(?:\([\w., ]*\))?(?=[;,)])", "", dropped_term),
    ("dropped condition", r" && " + OPERAND, "", dropped_condition),
    ("dropped alternative", r" \|\| " + OPERAND, "", dropped_alternative),
    ("and for or", r" \|\| ", " && ", logic("&&")),
    ("or for and", r" && ", " || ", logic("||")),
    ("never", r"\bif \((?!constexpr)", "if (false && ", never),
    ("other side", r"\bleft\b", "right", name("right")),
    ("other bound", r"\brelaxed\b", "lower", name("lower")),
]

# Defects that the search once had, or nearly: true bounds, used for other trees or other rows than they were proved for. Where each stands,
# what stood there, and the assert that ends the first runs of the fuzzer with it.
PLANTED = [
    (
        "root_.deepest({level.depth, top.depth, top.splits})",
        "root_.deepest({level.depth, level.depth, level.splits})",
        "assert(trees_.holds(trees));",
    ),
    ("if (root_.levels.front().depth > 3) shallow.drop_bounds();", "", "assert(high.least_depth - 1 <= low.most_depth);"),
    ("result.include_constant_orderings(price + all.one_split.strict);", "", "assert(result.is_sane());"),
    (
        "Bound on_more_items() const { return of_all_trees(relaxed); }",
        "Bound on_more_items() const { return *this; }",
        "assert(more.strict == more.relaxed);",
    ),
    (
        "return limits_.rules.known_bounds && limits_.min_rows <= 1;",
        "return limits_.rules.known_bounds;",
        "(known.size() == problem_.orderings.size() && limits_.min_rows <= 1)",
    ),
]


@dataclass(frozen=True)
class Mutant:
    file: str
    line: int  # from 1
    kind: str
    before: str
    after: str
    switched: Edit | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        return Path(self.file).name, self.before.strip(), self.after.strip()

    @property
    def row(self) -> tuple[str, ...]:
        return self.file, str(self.line), self.kind, self.before.strip(), self.after.strip()


def code_of(line: str) -> str:
    """The line with texts and comments blanked out, so that patterns find code only."""
    blank = re.sub(r'"(?:\\.|[^"\\])*"', lambda match: '"' + "_" * (len(match[0]) - 2) + '"', line)
    blank = re.sub(r"'(?:\\.|[^'\\])'", lambda match: "'" + "_" * (len(match[0]) - 2) + "'", blank)
    return blank.partition("//")[0]


def mutants_of(file: str, text: str) -> Iterator[Mutant]:
    for number, line in enumerate(text.splitlines(), 1):
        code = code_of(line)
        if re.match(r"\s*(#|template|static_assert|assert|RULE|using|namespace|$)", code):
            continue
        tagged = with_tags(code)
        for kind, pattern, instead, switched in OPERATORS:
            for match in re.finditer(pattern, code):
                edit = switched(tagged, match)
                if edit is not None:
                    text = with_texts(edit[2], code, line)
                    edit = None if TAGS.search(text) else (edit[0], edit[1], text)
                yield Mutant(file, number, kind, line, line[: match.start()] + instead + line[match.end() :], edit)


TAGS = re.compile("[\ue000-\uf8ff]")  # of private use: no source has them


def with_tags(code: str) -> str:
    """Fills each text that `code_of` has blanked out with a character of its own, so that several on a line are told apart."""
    tags = itertools.count(0xE000)
    return re.sub(r'"_+"|\'_+\'', lambda match: match[0][0] + chr(next(tags)) * (len(match[0]) - 2) + match[0][0], code)


def with_texts(text: str, code: str, line: str) -> str:
    """Puts the texts of the line back where `with_tags` has filled them."""
    tagged = with_tags(code)
    for match in re.finditer(r'"_+"|\'_+\'', code):
        text = text.replace(tagged[match.start() : match.end()], line[match.start() : match.end()])
    return text


def all_mutants() -> list[Mutant]:
    found: dict[tuple[str, int, str], Mutant] = {}
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            if path.stem == "audit":  # what the tests look with
                continue
            for mutant in mutants_of(str(path.relative_to(ROOT)), path.read_text()):
                found.setdefault((mutant.file, mutant.line, mutant.after), mutant)
    return list(found.values())


def planted() -> list[Mutant]:
    result = []
    texts = {path: path.read_text().splitlines() for pattern in SOURCES for path in sorted(ROOT.glob(pattern))}
    for before, after, check in PLANTED:
        if not any(check in line for lines in texts.values() for line in lines):
            raise LookupError(f"no line has '{check}', which notices a planted defect")
        path, number = next(((path, i) for path, lines in texts.items() for i, line in enumerate(lines, 1) if before in line), (None, 0))
        if path is None:
            raise LookupError(f"no line has '{before}', where a defect is planted")
        line = texts[path][number - 1]
        result.append(Mutant(str(path.relative_to(ROOT)), number, "planted", line, line.replace(before, after)))
    return result


def switched_lines(lines: list[str], mutants: dict[int, Mutant]) -> tuple[list[str], set[int]]:
    """The lines of a file with switches, and the numbers of the mutants that overlap with others and have none."""
    result, without = list(lines), set()
    by_line: dict[int, list[tuple[Edit, int]]] = {}
    for number, mutant in mutants.items():
        if mutant.switched is None:
            without.add(number)
        else:
            by_line.setdefault(mutant.line - 1, []).append((mutant.switched, number))
    for at, edits in by_line.items():
        free = len(lines[at]) + 1
        for (start, end, text), number in sorted(edits, reverse=True):
            if end > free:
                without.add(number)
                continue
            result[at] = result[at][:start] + text.replace("NUMBER", str(number)) + result[at][end:]
            free = start
    return result, without
