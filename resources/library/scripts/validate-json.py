"""Checks that every JSON file can be read, and that no object names a key twice."""

import json
import sys
from pathlib import Path


def refuse_twice(pairs):
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        raise KeyError(next(name for name in names if names.count(name) > 1))
    return value


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON value")


inputs = json.load(sys.stdin)["inputs"]
problems = []
for path in inputs["file_list"]:
    if not path.endswith(".json"):
        continue
    try:
        text = Path(path).read_text(encoding="utf-8")
        json.loads(text, object_pairs_hook=refuse_twice, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        problems.append({"path": path, "line": error.lineno, "column": error.colno, "problem": error.msg})
    except KeyError as error:
        problems.append({"path": path, "line": None, "column": None, "problem": f"the key {error} is there twice"})
    except UnicodeDecodeError:
        problems.append({"path": path, "line": None, "column": None, "problem": "it is not UTF-8 text"})
    except RecursionError:
        problems.append({"path": path, "line": None, "column": None, "problem": "it is nested too deeply"})
    except ValueError as error:
        problems.append({"path": path, "line": None, "column": None, "problem": str(error)})
print(json.dumps({"json_problems": problems}))
