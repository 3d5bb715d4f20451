"""Lists the pages with their titles, headings and words."""

import json
import re
from pathlib import Path

pages = []
for path in sorted(Path(".").glob("docs/**/*.md")):
    text = path.read_text(encoding="utf-8")
    # What stands in a code block is no heading and no prose.
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    headings = [
        {"level": len(marks), "text": title.strip()}
        for marks, title in re.findall(r"^(#{1,6})\s+(.+?)\s*#*$", prose, flags=re.M)
    ]
    title = next((heading["text"] for heading in headings if heading["level"] == 1), path.stem)
    pages.append(
        {"path": str(path), "title": title, "words": len(re.findall(r"\w+", prose)), "headings": headings}
    )
print(json.dumps({"pages": pages}))
