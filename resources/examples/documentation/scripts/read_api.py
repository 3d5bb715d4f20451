"""Reads the public names of the modules without importing them, so that nothing of theirs runs."""

import ast
import json
from pathlib import Path

api = []
for path in sorted(Path(".").glob("src/**/*.py")):
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    for node in tree.body:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if node.name.startswith("_"):
            continue
        is_class = isinstance(node, ast.ClassDef)
        api.append(
            {
                "module": str(path),
                "name": node.name,
                "kind": "class" if is_class else "function",
                "signature": node.name if is_class else f"{node.name}({ast.unparse(node.args)})",
                "line": node.lineno,
                "about": ast.get_docstring(node) or "",
            }
        )
print(json.dumps({"api": api}))
