"""Writes one page that says how the documentation stands."""

import json
import os
import sys
from pathlib import Path

inputs = json.load(sys.stdin)["inputs"]


def section(title, lines, none):
    return [f"## {title}", "", *(lines or [none]), ""]


report = "\n".join(
    [
        "# How the documentation stands",
        "",
        *section(
            "Pages", [f"- {page['path']}: {page['title']}, {page['words']} words" for page in inputs["pages"]], "None."
        ),
        *section(
            "Links that lead nowhere",
            [f"- {one['page']}:{one['line']}: `{one['target']}`, {one['why']}" for one in inputs["dead_links"]],
            "None.",
        ),
        *section(
            "Structure",
            [f"- {one['page']} {one['message']} ({one['rule']})" for one in inputs["structure_problems"]],
            "Every page is in order.",
        ),
        *section(
            "Public names on no page",
            [f"- `{one['signature']}` in {one['module']}:{one['line']}" for one in inputs["gaps"]],
            "Every public name is on a page.",
        ),
    ]
)
target = Path(os.environ["SUNWELL_FILES"]) / "docs" / "report.md"
target.parent.mkdir(parents=True, exist_ok=True)
target.write_text(report, encoding="utf-8")
print(json.dumps({"docs_report": report, "content": report}))
