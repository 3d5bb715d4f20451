"""Lists what is reviewed: all sources, or the lines that change.diff adds."""

import json
import re
from pathlib import Path

diff = Path("change.diff")
added = {}
if diff.exists():
    path, number = None, 0
    for line in diff.read_text(encoding="utf-8").splitlines():
        if line.startswith("+++ "):
            path = re.sub(r"^\+\+\+ (?:b/)?", "", line).split("\t")[0]
            added.setdefault(path, [])
        elif hunk := re.match(r"@@ -\d+(?:,\d+)? \+(\d+)", line):
            number = int(hunk.group(1))
        elif path is not None and not line.startswith("-"):
            if line.startswith("+"):
                added[path].append(number)
            number += 1
sources = [
    {"path": str(path), "lines": added.get(str(path)) if added else None}
    for path in sorted(Path(".").glob("src/**/*.py"))
    if not added or str(path) in added
]
print(json.dumps({"sources": sources}))
