import json
import sys
from pathlib import Path

inputs = json.load(sys.stdin)["inputs"]
measures = []
for page in inputs["doc_list"]:
    lines = Path(page).read_text(encoding="utf-8").splitlines()
    measures.append(
        {
            "page": page,
            "words": sum(len(line.split()) for line in lines),
            "headings": sum(line.startswith("#") for line in lines),
        }
    )
print(json.dumps({"doc_measures": measures}))
