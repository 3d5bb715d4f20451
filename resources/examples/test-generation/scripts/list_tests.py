"""Lists the tests with the functions they call and the errors they expect, without running them."""

import ast
import json
from pathlib import Path


def called_by(node):
    return sorted(
        {
            child.func.id if isinstance(child.func, ast.Name) else child.func.attr
            for child in ast.walk(node)
            if isinstance(child, ast.Call) and isinstance(child.func, (ast.Name, ast.Attribute))
        }
    )


def expected_by(node):
    return sorted(
        {
            ast.unparse(child.args[0])
            for child in ast.walk(node)
            if isinstance(child, ast.Call)
            and isinstance(child.func, ast.Attribute)
            and child.func.attr in ("assertRaises", "assertRaisesRegex")
            and child.args
        }
    )


tests = [
    {"path": str(path), "name": node.name, "line": node.lineno, "calls": called_by(node), "errors": expected_by(node)}
    for path in sorted(Path(".").glob("tests/**/test_*.py"))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), filename=str(path)))
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test")
]
print(json.dumps({"tests": tests}))
