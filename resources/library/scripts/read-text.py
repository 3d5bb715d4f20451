"""Reads the file that the parameter "path" names."""

import json
import os
import sys

path = json.load(sys.stdin)["params"].get("path")
if not isinstance(path, str) or path == "":
    sys.exit('The parameter "path" is missing: give the file to read, relative to the workspace')
if os.path.isabs(path) or ".." in path.replace("\\", "/").split("/"):
    sys.exit(f'Cannot read "{path}": only files of the workspace can be read')
try:
    with open(path, encoding="utf-8") as file:
        text = file.read()
except UnicodeDecodeError:
    sys.exit(f'Cannot read "{path}": it is not UTF-8 text')
except OSError as error:
    sys.exit(f'Cannot read "{path}": {error.strerror}')
print(json.dumps({"text": text, "content": text}))
