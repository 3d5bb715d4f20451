"""Proposes the fixes that need no judgment: "is None", and "except Exception" for a bare except."""

import json
import os
import re
import sys
from pathlib import Path

fixes = {
    "none-comparison": lambda line: re.sub(r"!=\s*None\b", "is not None", re.sub(r"==\s*None\b", "is None", line)),
    "bare-except": lambda line: re.sub(r"\bexcept\s*:", "except Exception:", line),
}
fixed = []
by_path = {}
for one in json.load(sys.stdin)["inputs"]["findings"]:
    if one["rule"] in fixes:
        by_path.setdefault(one["path"], []).append(one)
for path, findings in by_path.items():
    lines = Path(path).read_text(encoding="utf-8").splitlines(keepends=True)
    before = list(lines)
    for one in findings:
        lines[one["line"] - 1] = fixes[one["rule"]](lines[one["line"] - 1])
        fixed.append(f"{path}:{one['line']} {one['rule']}")
    if lines != before:
        target = Path(os.environ["SUNWELL_FILES"]) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("".join(lines), encoding="utf-8")
print(json.dumps({"fixed": fixed, "content": "\n".join(fixed) or "Nothing to fix mechanically."}))
