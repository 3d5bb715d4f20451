import json
import sys
from pathlib import Path

inputs = json.load(sys.stdin)["inputs"]
text = "\n".join(
    Path(page).read_text(encoding="utf-8") for page in inputs["doc_list"] if not page.endswith("/reference.md")
)
missing = [f"{entry['module']}:{entry['name']}" for entry in inputs["api_surface"] if entry["name"] not in text]
print(json.dumps({"undocumented": missing}))
