"""Compares the files that the parameters "before" and "after" name."""

import difflib
import json
import os
import sys

params = json.load(sys.stdin)["params"]
texts = []
for key in ("before", "after"):
    path = params.get(key)
    if not isinstance(path, str) or path == "":
        sys.exit(f'The parameter "{key}" is missing: give a file, relative to the workspace')
    if os.path.isabs(path) or ".." in path.replace("\\", "/").split("/"):
        sys.exit(f'Cannot read "{path}": only files of the workspace can be read')
    try:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read().splitlines())
    except UnicodeDecodeError:
        sys.exit(f'Cannot read "{path}": it is not UTF-8 text')
    except OSError as error:
        sys.exit(f'Cannot read "{path}": {error.strerror}')
diff = "\n".join(difflib.unified_diff(*texts, params["before"], params["after"], lineterm=""))
print(json.dumps({"text_diff": diff, "content": diff}))
