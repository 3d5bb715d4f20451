"""Lists the public functions with what there is to test about them."""

import ast
import json
from pathlib import Path

branches = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler)


def describe(path, node):
    inside = list(ast.walk(node))
    raised = [child.exc for child in inside if isinstance(child, ast.Raise) and child.exc is not None]
    called = [error.func if isinstance(error, ast.Call) else error for error in raised]
    return {
        "module": path.stem,
        "path": str(path),
        "name": node.name,
        "line": node.lineno,
        "parameters": [argument.arg for argument in [*node.args.args, *node.args.kwonlyargs]],
        "branches": sum(isinstance(child, branches) for child in inside),
        "raises": sorted({ast.unparse(error) for error in called}),
        "about": ast.get_docstring(node) or "",
    }


functions = [
    describe(path, node)
    for path in sorted(Path(".").glob("src/**/*.py"))
    for node in ast.parse(path.read_text(encoding="utf-8"), filename=str(path)).body
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_")
]
print(json.dumps({"functions": functions}))
