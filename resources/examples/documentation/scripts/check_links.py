"""Finds links that lead to no page, or to a heading that the page does not have."""

import json
import posixpath
import re
import sys


def anchor(heading):
    """The anchor that Markdown renderers give a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.strip().replace(" ", "-")


pages = {page["path"]: page for page in json.load(sys.stdin)["inputs"]["pages"]}
dead = []
for path in pages:
    is_code = False
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        if is_code:
            continue
        for target in re.findall(r"\[[^\]]*\]\(([^)\s]+)", line):
            if re.match(r"[a-z][a-z0-9+.-]*:", target, flags=re.I):
                continue
            file, _, wanted = target.partition("#")
            goal = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
            if goal not in pages:
                why = "there is no such page"
            elif wanted and wanted not in {anchor(h["text"]) for h in pages[goal]["headings"]}:
                why = f"{goal} has no heading for #{wanted}"
            else:
                continue
            dead.append({"page": path, "line": number, "target": target, "why": why})
            print(f"{path}:{number}: {target}: {why}", file=sys.stderr)
print(json.dumps({"dead_links": dead}))
