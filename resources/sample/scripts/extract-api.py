"""Reads the modules without importing them, so that nothing of theirs runs."""

import ast
import json
import sys
from pathlib import Path

inputs = json.load(sys.stdin)["inputs"]
api = []
for module in inputs["source_list"]:
    print(f"reading {module}", file=sys.stderr)
    tree = ast.parse(Path(module).read_text(encoding="utf-8"))
    for node in tree.body:
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        if node.name.startswith("_"):
            continue
        api.append(
            {
                "module": module,
                "name": node.name,
                "kind": "class" if isinstance(node, ast.ClassDef) else "function",
                "line": node.lineno,
                "about": (ast.get_docstring(node) or "").split("\n")[0],
            }
        )
print(json.dumps({"api_surface": api}))
