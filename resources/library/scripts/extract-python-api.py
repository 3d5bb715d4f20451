"""Reads the public names of Python modules without importing them, so that nothing of theirs runs."""

import ast
import json
import sys
from pathlib import Path

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def describe(node, module, owner=""):
    kind = "class" if isinstance(node, ast.ClassDef) else "method" if owner else "function"
    return {
        "module": module,
        "name": f"{owner}.{node.name}" if owner else node.name,
        "kind": kind,
        "line": node.lineno,
        "signature": f"({ast.unparse(node.args)})" if isinstance(node, FUNCTIONS) else "",
        "about": (ast.get_docstring(node) or "").split("\n")[0],
    }


def public(nodes, kinds):
    return (node for node in nodes if isinstance(node, kinds) and not node.name.startswith("_"))


inputs = json.load(sys.stdin)["inputs"]
api = []
problems = []
for module in inputs["file_list"]:
    if not module.endswith(".py"):
        continue
    try:
        tree = ast.parse(Path(module).read_bytes(), filename=module)
    except (SyntaxError, ValueError, RecursionError) as error:
        problems.append({"module": module, "line": getattr(error, "lineno", None), "problem": str(error)})
        print(f"{module}: {error}", file=sys.stderr)
        continue
    for node in public(tree.body, (*FUNCTIONS, ast.ClassDef)):
        api.append(describe(node, module))
        if isinstance(node, ast.ClassDef):
            api += [describe(method, module, node.name) for method in public(node.body, FUNCTIONS)]
print(json.dumps({"python_api": api, "python_problems": problems}))
