"""Lists the headings of every Markdown page, and where a level is skipped."""

import json
import re
import sys
from pathlib import Path

HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")

inputs = json.load(sys.stdin)["inputs"]
outlines = []
for page in inputs["file_list"]:
    if not page.endswith((".md", ".markdown")):
        continue
    headings = []
    skipped = []
    fence = None
    for number, line in enumerate(Path(page).read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        mark = FENCE.match(line)
        if mark and fence is None:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = None
        elif fence is None and (heading := HEADING.match(line)):
            level = len(heading[1])
            if headings and level > headings[-1]["level"] + 1:
                skipped.append(number)
            headings.append({"level": level, "text": heading[2], "line": number})
    outlines.append({"page": page, "headings": headings, "skipped_levels": skipped})
print(json.dumps({"outlines": outlines}))
