import json
import re
import sys
from pathlib import Path

inputs = json.load(sys.stdin)["inputs"]
dead = []
for page in inputs["doc_list"]:
    for number, line in enumerate(Path(page).read_text(encoding="utf-8").splitlines(), 1):
        for target in re.findall(r"\]\(([^)#]+)", line):
            if "://" in target or (Path(page).parent / target).exists():
                continue
            dead.append({"page": page, "line": number, "target": target})
            print(f"{page}:{number}: nothing at {target}", file=sys.stderr)
print(json.dumps({"dead_links": dead}))
