import json
import os
import sys
from pathlib import Path

inputs = json.load(sys.stdin)["inputs"]
lines = ["# How the documentation stands", "", "## Pages", ""]
lines += [f"- {m['page']}: {m['words']} words, {m['headings']} headings" for m in inputs["doc_measures"]]
lines += ["", "## Links that lead nowhere", ""]
lines += [f"- {d['page']}:{d['line']}: {d['target']}" for d in inputs["dead_links"]] or ["None."]
lines += ["", "## Public names that no page mentions", ""]
lines += [f"- {name}" for name in inputs["undocumented"]] or ["None."]
lines += ["", f"The proposed reference has {len(inputs['reference_page'].splitlines())} lines.", ""]
report = "\n".join(lines)

target = Path(os.environ["SUNWELL_FILES"]) / "docs" / "report.md"
target.parent.mkdir(parents=True, exist_ok=True)
target.write_text(report, encoding="utf-8")
print(json.dumps({"docs_report": report, "content": report}))
