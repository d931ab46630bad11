"""The documentation site: `make site`. The pages are Markdown, and read well without the site too."""

import inspect
import re
import subprocess
from pathlib import Path

from docutils import nodes
from sphinx.util.inspect import stringify_signature

ROOT = Path(__file__).parents[1]

project = "treewright"
author = "The treewright maintainers"
release = version = re.search(r"project\(treewright VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]

extensions = [
    "breathe",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["requirements.txt"]
myst_enable_extensions = ["colon_fence", "tasklist"]
myst_heading_anchors = 3
# Each header opens the namespace anew: a duplicate to breathe.
suppress_warnings = ["misc.highlighting_failure", "config.cache", "duplicate_declaration.cpp"]

# A copied console block is the commands alone.
copybutton_prompt_text = "$ "
copybutton_line_continuation_character = "\\"

# What doxygen reads in the public C++ headers. Its output lies beside the site.
DOXYGEN = {
    "INPUT": ROOT / "include/treewright",
    "EXCLUDE": ROOT / "include/treewright/treewright.h",
    "FILE_PATTERNS": "*.h",
    "ENABLE_PREPROCESSING": "NO",
    "STRIP_FROM_INC_PATH": ROOT / "include",
    "OUTPUT_DIRECTORY": ROOT / "build/doxygen",
    "GENERATE_HTML": "NO",
    "GENERATE_LATEX": "NO",
    "GENERATE_XML": "YES",
    "WARN_IF_UNDOCUMENTED": "NO",
    "WARN_AS_ERROR": "YES",
    "QUIET": "YES",
}
breathe_projects = {"treewright": str(ROOT / "build/doxygen/xml")}
breathe_default_project = "treewright"

autodoc_member_order = "groupwise"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_ivar = True

sphinx_gallery_conf = {
    "examples_dirs": str(ROOT / "examples/gallery"),
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "show_memory": False,
    "min_reported_time": 1e9,
    "show_signature": False,
    "download_all_examples": False,
    "default_thumb_file": str(ROOT / "docs/images/report.png"),
}

html_theme = "furo"
html_title = f"treewright {release}"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5c9e", "color-brand-content": "#0b5c9e"},
    "dark_css_variables": {"color-brand-primary": "#6cb2ef", "color-brand-content": "#6cb2ef"},
}
html_static_path = ["site.css"]
html_css_files = ["site.css"]


def escape_names(_app, _what, _name, _object, _options, lines):
    """Fitted attributes end with an underscore, and norms have bars: reStructuredText takes both for markup."""
    for number, line in enumerate(lines):
        if not line.lstrip().startswith(".."):
            lines[number] = re.sub(r"(?<![`\w])(\w+)_(?=[^\w`]|$)", r"\1\\_", line).replace("|", "\\|")


def named_parameters(_app, what, _name, an_object, _options, signature, returns):
    """Of an estimator those of its constructor; what makes it takes any."""
    if what != "class" or "**parameters" not in (signature or ""):
        return None
    own = inspect.signature(an_object.__init__)
    own = own.replace(parameters=list(own.parameters.values())[1:])
    return stringify_signature(own, show_annotation=False), returns


def align_numbers(_app, document):
    """Columns of numbers stand at the right, and their heads: where at least three of four cells are numbers, or a number and another one
    in parentheses or behind an arrow."""
    one = r"[<>~]?[-+]?[\d.,]+(e[-+]?\d+)?( ?(%|s|ms|min|h|MB|GB|x))?"
    number = re.compile(rf"{one}( → {one})?( \([^)]*\))?")
    for group in document.findall(nodes.tgroup):
        lines = [line.children for part in group.children if isinstance(part, (nodes.thead, nodes.tbody)) for line in part.children]
        heads = sum(len(part.children) for part in group.children if isinstance(part, nodes.thead))
        for column in range(min(map(len, lines))):
            cells = [line[column] for line in lines]
            filled = [cell for cell in cells[heads:] if cell.astext().strip() not in ("", "-", "\u2013")]
            if filled and sum(bool(number.fullmatch(cell.astext().strip())) for cell in filled) >= 0.75 * len(filled):
                for cell in cells:
                    cell["classes"].append("number")


def read_headers(_app):
    (ROOT / "build/doxygen").mkdir(parents=True, exist_ok=True)
    settings = "\n".join(f'{name} = "{value}"' for name, value in DOXYGEN.items())
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)


def setup(app):
    app.connect("builder-inited", read_headers)
    app.connect("autodoc-process-docstring", escape_names, priority=600)
    app.connect("autodoc-process-signature", named_parameters)
    app.connect("doctree-read", align_numbers)
