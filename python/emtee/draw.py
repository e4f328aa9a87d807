"""Drawings of boards, trees and passes as SVG, which notebooks display."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from ._emtee import Error, Found, Iteration, Player, Position
from ._types import Value, Visit, Window

__all__ = ["SVG", "passes", "position", "tree"]

_FONT = 'font-family="DejaVu Sans, Arial, sans-serif"'
_GROUNDS = {"light": "#f0d9b5", "dark": "#b58863", "green": "#2e7d4f", "blue": "#2f5fa8", "bare": "none"}
_INKS = {"white": "#ffffff", "black": "#1b1b1b", "yellow": "#f4c430", "faint": "#8a8a8a"}


class SVG(str):
    """The text of an SVG image, which notebooks display as an image.

    >>> import emtee
    >>> emtee.draw.tree("((41 5) (12 90))")[:4]
    '<svg'
    """

    def _repr_svg_(self) -> str:
        return str(self)


def _svg(width: float, height: float, parts: list[str]) -> SVG:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" {_FONT}>'
    return SVG(head + "".join(parts) + "</svg>")


def _text(x: float, y: float, text: object, size: float = 13, fill: str = "#333", extra: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" text-anchor="middle" {extra}>{escape(str(text))}</text>'


def position(of: Position) -> SVG:
    """The board of a position, or an explicit tree.

    >>> import emtee
    >>> "♔" in emtee.draw.position(emtee.chess()) or "♚" in emtee.draw.position(emtee.chess())
    True
    """
    if of.game == "tree":
        return tree(of)
    drawing = of.drawing()
    if drawing is None:
        return _svg(12 * len(of.text) + 20, 34, [_text(6 * len(of.text) + 10, 22, of.text)])
    side, margin = 42.0, 26.0
    rows = drawing["rows"]
    width = max(len(cells) for _, cells, _ in rows)
    parts: list[str] = []
    for row, (left, cells, right) in enumerate(rows):
        y = margin + row * side
        parts += [_text(margin / 2, y + side / 2 + 5, left), _text(margin * 1.5 + width * side, y + side / 2 + 5, right)]
        for column, (text, ink, ground, changed) in enumerate(cells):
            x = margin + column * side
            if ground != "bare":
                parts.append(f'<rect x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" fill="{_GROUNDS[ground]}" stroke="#00000022"/>')
            if changed:
                parts.append(
                    f'<rect x="{x + 1.5:g}" y="{y + 1.5:g}" width="{side - 3:g}" height="{side - 3:g}" fill="none" stroke="#ffb300" stroke-width="3"/>'
                )
            parts.append(_cell(x + side / 2, y + side / 2, str(text), ink, ground))
    above, below = drawing["columns"]
    for column, (top, bottom) in enumerate(zip(above, below)):
        x = margin + (column + 0.5) * side
        parts += [_text(x, margin - 8, top), _text(x, margin + len(rows) * side + 18, bottom)]
    height = margin * 2 + len(rows) * side + 22
    parts.append(_text(margin + width * side / 2, height - 6, drawing["caption"], 14))
    return _svg(margin * 2 + width * side, height, parts)


def _cell(x: float, y: float, text: str, ink: str, ground: str) -> str:
    if not text.strip():
        return ""
    if ink == "faint" or ground == "bare":
        return _text(x, y + 5, text, 13, "#555" if ground == "bare" else "#00000055")
    if text in "●XO" and ground in ("green", "blue", "dark"):
        return f'<circle cx="{x:g}" cy="{y:g}" r="16" fill="{_INKS[ink]}" stroke="#00000066"/>'
    size = 32 if len(text) == 1 and ord(text) > 127 else 18
    outline = 'stroke="#000" stroke-width="0.8"' if ink == "white" else ""
    return _text(x, y + size / 3, text, size, _INKS[ink], outline)


class _Node:
    """A node of a drawn tree: its position, depth and x coordinate."""

    def __init__(self, at: Position, depth: int) -> None:
        self.at, self.depth, self.x = at, depth, 0.0
        self.children = [_Node(at.play(m), depth + 1) for m in at.moves()]

    def all(self) -> Iterator[_Node]:
        yield self
        for child in self.children:
            yield from child.all()

    def place(self, left: float) -> float:
        """Places the leaves side by side and each parent above the middle of its children. Returns the x coordinate after the subtree."""
        if not self.children:
            self.x = left + 0.5
            return left + 1
        for child in self.children:
            left = child.place(left)
        self.x = (self.children[0].x + self.children[-1].x) / 2
        return left


class _Record:
    """Records the visits of each pass."""

    def __init__(self) -> None:
        self.passes: list[tuple[Any, dict[int, Visit]]] = []
        self.current: dict[int, Visit] = {}

    def leave(self, at: Position, visit: Visit) -> None:
        self.current[at.key()] = visit

    def passed(self, done: Any) -> None:
        self.passes.append((done, self.current))
        self.current = {}


#: The largest number of leaves of a tree that is drawn.
_MAX_LEAVES = 400


def tree(of: Position | str, algorithm: str | None = None, *, depth: int | None = None) -> SVG:
    """Draws an explicit tree; with an algorithm, one drawing for each of its passes, with the nodes that it visits.

    Squares are MAX, circles MIN. Nodes that a pass expands are dark, leaves that it evaluates are orange, and nodes that the table
    answers are blue. Each has the value that it returns, from the side of MAX.

    >>> import emtee
    >>> picture = emtee.draw.tree("paper", "sss")
    >>> picture.count("orange") >= 8
    True
    """
    from ._games import tree as read

    at = read(of) if isinstance(of, str) else of
    if at.game != "tree":
        raise Error(f"only emtee.tree(…) can be drawn as a tree, not {at.game}")
    root = _Node(at, 0)
    leaves = root.place(0)
    if leaves > _MAX_LEAVES:
        raise Error(f"a tree of {leaves:g} leaves is too large to draw; the limit is {_MAX_LEAVES} leaves")
    height = max(node.depth for node in root.all())
    if algorithm is None:
        width, parts = _drawn(root, {}, 0, None, height)
        return _svg(width, 40 + 54 * height + 40, parts)
    record = _Record()
    Player(algorithm=algorithm, fixed_depth=True, principal_variation=False).think(at, depth=depth or max(height, 1), observer=record)
    if not record.passes and record.current:
        record.passes.append((None, record.current))
    parts, top, width = [], 0.0, 0.0
    for number, (done, visits) in enumerate(record.passes):
        title = f"{algorithm}: {len(visits)} nodes" if done is None else _pass_title(number + 1, done)
        width, drawn = _drawn(root, visits, top, title, height)
        parts += drawn
        top += 40 + 54 * height + 40
    return _svg(max(width, 360), top, parts)


def _pass_title(number: int, done: Any) -> str:
    window: Window = done.window
    searched = f"({window.alpha}, {window.beta})"
    if window.gamma is not None:
        searched = f"γ = {window.gamma:g}" if abs(window.gamma) < 32_000 else f"γ = {'+' if window.gamma > 0 else '-'}∞"
    return f"pass {number}: {searched}, g = {done.g}, f = {done.f}"


def _drawn(root: _Node, visits: dict[int, Visit], top: float, title: str | None, height: int) -> tuple[float, list[str]]:
    step = 38.0
    nodes = list(root.all())
    width = max(node.x for node in nodes) * step + step
    parts = [] if title is None else [_text(8, top + 18, title, 13, "#222", 'style="text-anchor: start"')]
    y0 = top + 40

    def place(node: _Node) -> tuple[float, float]:
        return node.x * step + step / 4, y0 + node.depth * 54

    for node in nodes:
        x, y = place(node)
        for child in node.children:
            cx, cy = place(child)
            visited = child.at.key() in visits
            parts.append(f'<line x1="{x:g}" y1="{y:g}" x2="{cx:g}" y2="{cy:g}" stroke="{"#333" if visited else "#ccc"}"/>')
    for node in nodes:
        x, y = place(node)
        visit = visits.get(node.at.key())
        is_max = node.at.turn() == 0
        fill = "white" if visit is None else {"expanded": "#444", "evaluated": "orange", "answered": "#8ab4f8"}[visit.end]
        edge = "#999" if visit is None else "#222"
        if node.children and is_max:
            parts.append(f'<rect x="{x - 9:g}" y="{y - 9:g}" width="18" height="18" fill="{fill}" stroke="{edge}"/>')
        else:
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{9 if node.children else 6}" fill="{fill}" stroke="{edge}"/>')
        if not node.children:
            parts.append(_text(x, y + 22, node.at.text, 11, "#222" if visit is not None or not visits else "#aaa"))
        elif visit is not None:
            parts.append(_text(x + 20, y - 8, visit.g if is_max else -visit.g, 11, "#06c"))
    return width, parts


def passes(of: Found[Any] | Iteration[Any]) -> SVG:
    """Draws how the passes of an iteration converge to the value: f⁻, f⁺ and the window of each pass. For a `Found`, of its last iteration.

    >>> import emtee
    >>> found = emtee.Player(algorithm="sss").think(emtee.connect4("44"), depth=6)
    >>> emtee.draw.passes(found).count("<circle") == len(found.iterations[-1].passes)
    True
    """
    iterations = of.iterations if isinstance(of, Found) else [of]
    if not iterations or not iterations[-1].passes:
        return _svg(240, 34, [_text(120, 22, "no passes")])
    last = iterations[-1]
    values = [v for one in last.passes for v in (one.g, *one.f) if abs(v) < 31_000]
    low, high = (min(values), max(values)) if values else (-1, 1)
    low, high = (low - 1, high + 1) if high - low < 2 else (low, high)
    width, height, left = max(320.0, 70.0 + 34 * len(last.passes)), 220.0, 60.0

    def y(value: float) -> float:
        bounded = min(max(value, low), high)
        return 30 + (height - 70) * (high - bounded) / (high - low)

    parts = [_text(width / 2, 16, f"depth {last.depth}: {len(last.passes)} passes, f = {last.f}", 13)]
    for value in dict.fromkeys((low, high)):
        parts.append(_text(left - 22, y(value) + 4, Value(int(value)), 11))
    step = (width - left - 20) / len(last.passes)
    for index, one in enumerate(last.passes):
        x = left + (index + 0.5) * step
        parts.append(
            f'<rect x="{x - step * 0.4:g}" y="{y(one.f.upper):g}" width="{step * 0.8:g}" '
            f'height="{max(y(one.f.lower) - y(one.f.upper), 2):g}" fill="#cfe2ff" stroke="#6b9bd1"/>'
        )
        alpha, beta = one.window
        for edge in {alpha + 0.5, beta - 0.5}:
            if abs(edge) < 31_000:
                parts.append(
                    f'<line x1="{x - step * 0.45:g}" x2="{x + step * 0.45:g}" y1="{y(edge):g}" y2="{y(edge):g}" stroke="#c62828" stroke-dasharray="3 2"/>'
                )
        parts.append(f'<circle cx="{x:g}" cy="{y(one.g):g}" r="4" fill="#1b5e20"/>')
        if len(last.passes) <= 24:
            parts.append(_text(x, height - 22, index + 1, 11))
    parts.append(_text(width / 2, height - 6, "bars: bounds f⁻ to f⁺; red: window or γ; dots: g", 11, "#666"))
    return _svg(width, height, parts)
