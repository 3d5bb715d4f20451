"""Counts words of every text page, code blocks and link targets left out, and estimates the reading time."""

import json
import re
import sys
from pathlib import Path

WORDS_A_MINUTE = 200

inputs = json.load(sys.stdin)["inputs"]
pages = []
for page in inputs["file_list"]:
    if not page.endswith((".md", ".markdown", ".txt", ".rst")):
        continue
    text = Path(page).read_text(encoding="utf-8", errors="replace")
    text = re.sub(r"^(```|~~~).*?^\1[^\n]*$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    words = len(re.findall(r"\w+(?:['’-]\w+)*", text))
    pages.append({"page": page, "words": words})
total = sum(entry["words"] for entry in pages)
print(json.dumps({"word_counts": {"pages": pages, "total": total, "minutes": -(-total // WORDS_A_MINUTE)}}))
