import json
from pathlib import Path

pages = sorted(path.as_posix() for path in Path("docs").glob("*.md"))
print(json.dumps({"doc_list": pages}))
