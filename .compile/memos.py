"""
Give functions under `functools.cache` dicts of their own: compiled, that is faster.
"""

from __future__ import annotations

import ast

from typing import Final


_BEGIN: Final = "from __future__ import annotations\n"
_FINAL: Final = f"{_BEGIN}\nfrom typing import Final as _Final\n"
_OF_ONE: Final = """
_GIVEN_BY_{name}: _Final[dict[{first}, {made}]] = {{}}
def {name}({parameters}) -> {made}:
    found = _GIVEN_BY_{name}.get({key})
    if found is None:
        found = _GIVEN_BY_{name}[{key}] = _made_by_{name}({key})
    return found
"""
_OF_TWO: Final = """
_GIVEN_BY_{name}: _Final[dict[{first}, dict[{second}, {made}]]] = {{}}
def {name}({parameters}) -> {made}:
    given = _GIVEN_BY_{name}.get({key})
    if given is None:
        given = _GIVEN_BY_{name}[{key}] = {{}}
    found = given.get({other})
    if found is None:
        found = given[{other}] = _made_by_{name}({key}, {other})
    return found
"""


def with_memos(source: str) -> str:
    """
    The source of a module in which functions under ``functools.cache`` use dicts.

    This concerns functions of one or two arguments, which must never return None.
    """
    lines = source.split("\n")
    for node in reversed(ast.parse(source).body):
        if not isinstance(node, ast.FunctionDef) or len(node.decorator_list) != 1:
            continue
        (decorator,) = node.decorator_list
        given = [
            (one.arg, ast.unparse(one.annotation or one)) for one in node.args.args
        ]
        made = ast.unparse(node.returns or node)
        if ast.unparse(decorator) != "functools.cache" or len(given) not in {1, 2}:
            continue
        text = (_OF_ONE if len(given) == 1 else _OF_TWO).format(
            name=node.name,
            made=made,
            parameters=ast.unparse(node.args),
            first=given[0][1],
            second=given[-1][1],
            key=given[0][0],
            other=given[-1][0],
        )
        at = node.lineno - 1
        lines[at] = lines[at].replace(f"def {node.name}(", f"def _made_by_{node.name}(")
        lines[decorator.lineno - 1] = text
    return "\n".join(lines).replace(_BEGIN, _FINAL, 1)
