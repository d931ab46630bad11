"""PMML in two engines, JPMML (the reference) and PMML4S: the class of every row, and from the latter, which tells them where a model has no
list of outputs, the probabilities. Skipped where they are not installed (Java, and from PyPI jpmml_evaluator and pypmml)."""

import shutil

import numpy as np
import pytest
from export_cases import ALL

# What no engine can be asked about: XML has no such characters, and its readers turn line breaks of a name into blanks.
NAMES_OF_XML = [case for case in ALL if case.name != "hostile"]


def predict_jpmml(path, target, classes):
    jpmml = pytest.importorskip("jpmml_evaluator")
    evaluator = jpmml.make_evaluator(str(path)).verify()

    return lambda row: (evaluator.evaluate(row)[target], None)


def predict_pmml4s(path, target, classes):
    pypmml = pytest.importorskip("pypmml")
    model = pypmml.Model.fromFile(str(path))

    def predict(row):
        said = model.predict(row)
        return said[f"predicted_{target}"], [said[f"probability_{name}"] for name in classes]

    return predict


@pytest.mark.parametrize("engine", [predict_jpmml, predict_pmml4s])
@pytest.mark.parametrize("case", NAMES_OF_XML, ids=[case.name for case in NAMES_OF_XML])
def test_pmml_in_an_engine(case, engine, tmp_path):
    if shutil.which("java") is None:
        pytest.skip("no Java")
    (tmp_path / "tree.pmml").write_text(case.write("pmml"), encoding="utf-8")
    classes = case.result.tree.class_names
    target = "class_" if "class" in case.columns else "class"
    predict = engine(tmp_path / "tree.pmml", target, classes)
    levels = [name for column, name in enumerate(case.columns) if column in case.levels]
    rows = [{name: case.cell(row, column) for column, name in enumerate(case.columns)} for row in range(len(case.matrix))]
    # A level that training did not see is a missing value.
    unseen = [{**row, **dict.fromkeys(levels, "none of them")} for row in rows]
    lacking = [{**row, **dict.fromkeys(levels)} for row in rows]
    said = [predict(row) for row in rows]
    assert [label for label, _ in said] == case.expected
    if engine is predict_pmml4s:
        assert np.allclose([shares for _, shares in said], case.result.predict_proba(case.data), rtol=0, atol=1e-15)
    assert [predict(row) for row in unseen] == [predict(row) for row in lacking]
