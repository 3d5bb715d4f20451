import json
from pathlib import Path

modules = sorted(path.as_posix() for path in Path("src").rglob("*.py"))
print(json.dumps({"source_list": modules}))
