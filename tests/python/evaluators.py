"""What runs exported trees: node for JavaScript, and small evaluators of spreadsheet formulas and of PMML."""

import json
import shutil
import string
import subprocess
import xml.etree.ElementTree as ElementTree
from datetime import date

import pytest


def run_in_node(script, calls, folder):
    """What the calls give, one for each row of a list: evaluated by node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node to run JavaScript")
    (folder / "tree.js").write_text(script, encoding="utf-8")
    main = f"const tree = require('./tree.js');\nconst rows = JSON.parse({json.dumps(json.dumps(calls))});\n"
    main += "console.log(JSON.stringify(rows.map((row) => [tree.predict(row), tree.predictProba(row)])));"
    (folder / "main.js").write_text(main, encoding="utf-8")
    done = subprocess.run([node, "main.js"], cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


class Sheet:
    """A small evaluator of spreadsheet formulas: an empty cell is None and counts as 0 in sums, texts compare without regard to case."""

    def __init__(self, formula):
        assert formula.startswith("=")
        assert len(formula) <= 8192
        self.text, self.at = formula, 1
        self.tree = self.comparison()
        assert self.at == len(self.text)

    def peek(self, signs):
        return self.at < len(self.text) and self.text[self.at] in signs

    def level(self, signs, below):
        left = below()
        while self.peek(signs):
            sign = self.text[self.at]
            self.at += 1
            left = (sign, left, below())
        return left

    def comparison(self):
        return self.level("<", lambda: self.level("&", lambda: self.level("+-", lambda: self.level("*", self.atom))))

    def atom(self):
        start = self.at
        if self.peek("-"):
            self.at += 1
            return ("-", ("number", 0.0), self.atom())
        if self.peek("("):
            self.at += 1
            inside = self.comparison()
            assert self.peek(")")
            self.at += 1
            return inside
        if self.peek('"'):
            word = ""
            while True:
                self.at += 1
                if self.peek('"'):
                    self.at += 1
                    if not self.peek('"'):
                        assert len(word) <= 255
                        return ("text", word)
                word += self.text[self.at]
        while self.peek("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.") or (
            self.peek("e+-") and (self.text[self.at] == "e" or self.text[self.at - 1] == "e")
        ):
            self.at += 1
        word = self.text[start : self.at]
        if self.peek("("):
            self.at += 1
            arguments = [] if self.peek(")") else [self.comparison()]
            while self.peek(","):
                self.at += 1
                arguments.append(self.comparison())
            assert self.peek(")")
            self.at += 1
            return (word, *arguments)
        if word in ("TRUE", "FALSE"):
            return ("constant", word == "TRUE")
        return ("number", float(word)) if word[0].isdigit() else ("cell", word)

    def value(self, tree, cells):
        kind, *parts = tree
        if kind in ("number", "text", "constant"):
            return parts[0]
        if kind == "cell":
            return cells[parts[0]]
        if kind == "IF":
            return self.value(parts[1 if self.value(parts[0], cells) else 2], cells)
        values = [self.value(part, cells) for part in parts]
        if kind == "ISNUMBER":
            return isinstance(values[0], float)
        if kind == "NOT":
            return not values[0]
        if kind in ("AND", "OR"):
            return all(values) if kind == "AND" else any(values)
        if kind == "EXACT":
            return ("" if values[0] is None else str(values[0])) == values[1]
        if kind == "TIME":
            return sum(int(part) * unit for part, unit in zip(values, (3600, 60, 1))) / 86400
        if kind == "DATE":
            return float(date(*map(int, values)).toordinal() - date(1899, 12, 30).toordinal())
        if kind == "&":
            return values[0] + values[1]
        left, right = (0.0 if value is None else value for value in values)
        assert isinstance(left, float)
        assert isinstance(right, float), "a text is compared or added"
        return {"<": left < right, "+": left + right, "-": left - right, "*": left * right}[kind]

    def predict(self, row):
        letters = [letter + "2" for letter in string.ascii_uppercase] + [f"A{letter}2" for letter in string.ascii_uppercase]
        return self.value(self.tree, dict(zip(letters, row)))


class Pmml:
    """A small evaluator of PMML tree models, after the standard's words and, on quotes in arrays, after what engines do."""

    def __init__(self, text):
        self.root = ElementTree.fromstring(text)
        for element in self.root.iter():
            element.tag = element.tag.split("}")[1]
        self.values = {
            field.get("name"): {value.get("value") for value in field.findall("Value")} for field in self.root.find("DataDictionary")
        }
        self.model = self.root.find("TreeModel")

    def compute(self, element, row):
        if element.tag == "Constant":
            return float(element.text)
        if element.tag in ("FieldRef", "NormDiscrete"):
            value = row.get(element.get("field"))
            assert element.get("mapMissingTo") is None, "JPMML reads it as a text"
            return value if element.tag == "FieldRef" or value is None else float(value == element.get("value"))
        if element.get("function") == "isMissing":
            return self.compute(element[0], row) is None
        if element.get("function") == "if":
            return self.compute(element[1 if self.compute(element[0], row) else 2], row)
        left, right = (self.compute(child, row) for child in element)
        if left is None or right is None:
            return None
        return left + right if element.get("function") == "+" else left * right

    def holds(self, element, row):
        """True, False, or None = unknown."""
        if element.tag == "True":
            return True
        if element.tag == "CompoundPredicate":
            assert element.get("booleanOperator") == "or"
            parts = [self.holds(child, row) for child in element]
            return True if True in parts else None if None in parts else False
        value = row.get(element.get("field"))
        if element.get("operator") == "isMissing":
            return value is None
        if value is None:
            return None
        if element.tag == "SimplePredicate":
            if element.get("operator") == "equal":
                return value == element.get("value")
            assert element.get("operator") == "lessThan"
            return value < float(element.get("value"))
        # As PMML4S reads it: a backslash is a backslash, also twice, and a quote ends the text.
        array = element.find("Array")
        members, word, inside, text = [], "", False, array.text or ""
        at = 0
        while at < len(text):
            if text[at] == '"':
                if inside:
                    members.append(word)
                word, inside = "", not inside
            elif inside:
                word += text[at]
            at += 1
        assert len(members) == int(array.get("n"))
        return value in members

    def predict(self, row):
        row = {name: None if self.values[name] and value not in self.values[name] else value for name, value in row.items()}
        for field in self.model.iter("DerivedField"):
            row[field.get("name")] = self.compute(field[0], row)
        node = self.model.find("Node")
        while True:
            children = node.findall("Node")
            if not children:
                return node.get("score"), {d.get("value"): float(d.get("probability")) for d in node.findall("ScoreDistribution")}
            node = next(child for child in children if self.holds(child[0], row) is True)
