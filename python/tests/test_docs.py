"""Runs every example in the documentation."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import emtee
from emtee import _emtee

HERE = Path(__file__).parent


def documented() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Everything that has a docstring, in Python and in Rust."""
    modules = [emtee, _emtee]
    for info in pkgutil.iter_modules(emtee.__path__):
        if info.name != "_emtee":
            modules.append(importlib.import_module(f"emtee.{info.name}"))
    for module in modules:
        things: list[tuple[str, Any]] = [(module.__name__, module)]
        for name, thing in vars(module).items():
            where = getattr(thing, "__module__", None)
            if (inspect.isclass(thing) or callable(thing)) and (where == module.__name__ or module is _emtee):
                things.append((f"{module.__name__}.{name}", thing))
                if inspect.isclass(thing):
                    things += [(f"{module.__name__}.{name}.{part}", member) for part, member in vars(thing).items()]
        for name, thing in things:
            doc = getattr(thing, "__doc__", None)
            if isinstance(doc, str) and ">>>" in doc:
                yield name, doc, dict(vars(module))


@pytest.mark.parametrize(("name", "doc", "names"), [pytest.param(*one, id=one[0]) for one in documented()])
def test_examples(name: str, doc: str, names: dict[str, Any]) -> None:
    run(name, inspect.cleandoc(doc), names)


@pytest.mark.parametrize("page", ["README.md"])
def test_pages(page: str) -> None:
    text = (HERE.parent / page).read_text()
    blocks = [block.split("\n", 1)[1] for block in text.split("```")[1::2] if block.startswith("pycon")]
    assert blocks
    names: dict[str, Any] = {}
    for block in blocks:
        run(page, block, names)


def run(name: str, text: str, names: dict[str, Any]) -> None:
    output: list[str] = []
    example = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE)
    runner.run(example, out=output.append, clear_globs=False)
    assert runner.failures == 0, "".join(output)
    names.update(example.globs)


def test_everything_public_is_documented() -> None:
    for name in emtee.__all__:
        assert getattr(emtee, name).__doc__, name
    for cls in (emtee.Player, emtee.Position, emtee.Found, emtee.Iteration, emtee.Pass, emtee.Counts, emtee.Chosen, emtee.Poll):
        for name, member in vars(cls).items():
            if not name.startswith("_"):
                assert member.__doc__, f"{cls.__name__}.{name}"
