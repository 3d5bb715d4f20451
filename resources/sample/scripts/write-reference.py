import json
import os
import sys
from itertools import groupby
from pathlib import Path

inputs = json.load(sys.stdin)["inputs"]
lines = ["# API reference", "", "Made from the code. Change the docstrings, not this page.", ""]
for module, names in groupby(inputs["api_surface"], key=lambda entry: entry["module"]):
    lines += [f"## {module}", ""]
    for entry in names:
        lines.append(f"- `{entry['name']}` ({entry['kind']}, line {entry['line']}): {entry['about'] or 'no docstring'}")
    lines.append("")
page = "\n".join(lines)

target = Path(os.environ["SUNWELL_FILES"]) / "docs" / "reference.md"
target.parent.mkdir(parents=True, exist_ok=True)
target.write_text(page, encoding="utf-8")
print(json.dumps({"reference_page": page, "content": page}))
