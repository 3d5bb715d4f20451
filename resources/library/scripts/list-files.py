"""Lists every file that the skill may see."""

import json
import os

found = []
for folder, folders, names in os.walk("."):
    folders.sort()
    found += [os.path.relpath(os.path.join(folder, name), ".").replace(os.sep, "/") for name in names]
found.sort()
print(json.dumps({"file_list": found}))
