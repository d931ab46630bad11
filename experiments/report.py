"""Pages from the job lines: each table of a paper with our figures beside its own.

A description names a list of [[tables]]; each has a `kind` below, a `title`, the `published` table its figures are found under in
published.tsv, and what the kind needs. Means are over all records of a cell, with the standard error of the mean. A published figure
stands in brackets.
"""

from __future__ import annotations

from pathlib import Path

import tables
import tables_bd17
import tomllib
from pictures import PICTURES
from records import published_by, records_of
from store import Store

_KINDS = (
    tables_bd17.cells,
    tables_bd17.by_leaves,
    tables_bd17.by_data,
    tables_bd17.summary,
    tables_bd17.wins,
    tables_bd17.bands,
    tables_bd17.region,
    tables_bd17.regime,
    tables.settings,
    tables.solvers,
    tables.methods,
    tables.relative_gaps,
    tables.objectives,
    tables.beside,
    tables.furthest_behind,
    tables.across,
    tables.choices,
    tables.true_gaps,
    tables.features_of_splits,
)
KINDS = {kind.__name__: kind for kind in _KINDS}


def _sections(study: Path, jobs: Path, out: Path) -> list[str]:
    """What a study adds to its page: text, tables, pictures, and what its jobs took. Nothing where none of its jobs is stored."""
    description = tomllib.loads(study.read_text())
    stores = [Store(jobs, name) for name in [study.stem, *description.get("also", [])]]
    lines = stores[0].lines()
    if not lines:
        return []
    records = records_of([*lines, *(line for store in stores[1:] for line in store.lines())])
    published = published_by(description.get("paper", ""))
    parts = [description.get("text", "").strip() + "\n"]
    if "paper" in description:
        parts.append("Figures in brackets are the paper's.\n")
    for spec in description["tables"]:
        if table := KINDS[spec["kind"]](spec, records, published):
            parts += [f"## {spec['title']}\n", table]
    for spec in description.get("plots", []):
        picture = f"{study.stem}_{spec['name']}.svg"
        PICTURES[spec.get("kind", "wins")](spec, records, out / picture)
        parts.append(f"![{spec['title']}]({picture})\n")
    if "closing" in description:
        parts.append(description["closing"].strip() + "\n")
    cpu, wall = (sum(line[key] for line in lines) for key in ("cpu_seconds", "seconds"))
    return [*parts, f"{len(lines)} jobs, {cpu:.0f} s of CPU time and {wall:.0f} s of wall time in all, one thread each.\n"]


def write(study: Path, jobs: Path, out: Path) -> None:
    """The page of a study in OUT, and its pictures. `also` names studies whose lines the tables may use as well; a study whose `page` is
    that of another stands below it, with a heading of its own."""
    page = study.with_name(f"{tomllib.loads(study.read_text()).get('page', study.stem)}.toml")
    parts = [f"# {tomllib.loads(page.read_text())['title']}\n", *_sections(page, jobs, out)]
    for other in sorted(page.parent.glob("*.toml")):
        description = tomllib.loads(other.read_text())
        if description.get("page") == page.stem and (sections := _sections(other, jobs, out)):
            parts += [f"## {description['title']}\n", *sections]
    if len(parts) > 1:
        (out / f"{page.stem}.md").write_text("\n".join(parts))
