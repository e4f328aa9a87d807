"""Cells of a notebook to work with: the stepper of the explorer, and a board to play on, for games in Python as well.

Both are HTML and need no further package. The stepper is complete in itself. The board asks the kernel for moves through a port of
this machine, so the browser must run on the machine of the kernel.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Sequence
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ._emtee import Error, Player, Position, board_page, stepper_page

__all__ = ["HTML", "Board", "board", "stepper"]


class HTML(str):
    """The text of an HTML page, which notebooks display in a frame.

    >>> import emtee
    >>> emtee.notebook.stepper("((41 5) (12 90))", "sss")[:15]
    '<!doctype html>'
    """

    #: The height of the frame in pixels.
    height: int = 700

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self.height}px; border: 0"
        return f'<iframe srcdoc="{escape(str(self), quote=True)}" style="{style}" sandbox="allow-scripts allow-downloads"></iframe>'


def stepper(of: Any = "paper", *algorithms: str, depth: int | None = None, height: int = 700) -> HTML:
    """Steps through algorithms on an explicit tree, or on the game tree of a position to a depth.

    The tree is a text like `"((41 5) (12 90))"`, `"paper"`, or the root of `emtee.tree(…)`. Of a position, also of a game in Python,
    all lines to `depth` become the tree, with evaluations at its leaves. At most two algorithms fit side by side.

    >>> import emtee
    >>> page = emtee.notebook.stepper(emtee.connect4("4455"), "mtd-f", depth=2)
    >>> "mtd-f" in page
    True
    """
    if not 1 <= len(algorithms or ("sss",)) <= 2:
        raise Error("one or two algorithms fit side by side")
    if isinstance(of, str):
        text, name = of, "an explicit tree"
    elif isinstance(of, Position) and of.game == "tree":
        text, name = of.text, "an explicit tree"
    elif depth is None:
        raise Error("give the depth of the tree of a position, for example depth=3")
    else:
        text, name = _tree_text(of, depth), f"{_game_name(of)}, {depth} plies"
    names = list(algorithms) or ["sss"]
    page = HTML(stepper_page(text, names, f"{' and '.join(names)} on {name}"))
    page.height = height
    return page


def _game_name(position: Any) -> str:
    return position.game if isinstance(position, Position) else type(position).__name__


#: The largest tree that the stepper shows.
_MAX_NODES = 1500


def _tree_text(root: Any, depth: int) -> str:
    """The game tree as a nested list, with values from the side of MAX, which is to move at the root."""
    max_side = root.turn()
    nodes = 0

    def text(at: Any, plies: int, parent: int) -> str:
        nonlocal nodes
        nodes += 1
        if nodes > _MAX_NODES:
            raise Error(f"a tree of more than {_MAX_NODES} nodes cannot be drawn; choose a smaller depth")
        own = at.turn()
        sign = 1 if own == max_side else -1
        outcome = _outcome(at)
        if outcome in ("won", "lost"):
            return "win" if (outcome == "won") == (own == max_side) else "loss"
        if outcome == "drawn":
            return "draw"
        if outcome is not None:
            return str(sign * int(outcome))
        if plies == 0:
            return str(sign * int(at.evaluate() if hasattr(at, "evaluate") else 0))
        mark = "" if own != parent else "max " if own == max_side else "min "
        return f"({mark}{' '.join(text(at.play(m), plies - 1, own) for m in at.moves())})"

    return text(root, depth, 1 - max_side)


def _outcome(position: Any) -> Any:
    """The outcome for the side to move, or None."""
    outcome = position.outcome()
    if outcome is None and not list(position.moves()):
        return position.stuck() if hasattr(position, "stuck") else "drawn"
    return outcome


class Board:
    """A board on which a player moves in the browser, and a `Player` answers. Made by `board`.

    `position` is the current position, so the next cell of the notebook can go on with it.
    """

    def __init__(self, start: Any, engine: int | None, player: Player, limits: dict[str, Any], height: int) -> None:
        self.start = self.position = start
        self.moves: list[Any] = []
        self.height = height
        self._engine, self._player, self._limits = engine, player, limits
        self._lock = threading.Lock()
        # A page of another site cannot guess the path.
        self._path = f"/{secrets.token_urlsafe(16)}"
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """The address of the board."""
        return f"http://127.0.0.1:{self._server.server_address[1]}{self._path}"

    def close(self) -> None:
        """Stops answering the browser."""
        self._server.shutdown()
        self._server.server_close()

    def _repr_html_(self) -> str:
        return f'<iframe src="{self.url}" style="width: 100%; height: {self.height}px; border: 0"></iframe>'

    def _answer(self, labels: Sequence[str], think: bool) -> dict[str, Any]:
        """The position after these moves, and after a move of the engine if `think` is set."""
        with self._lock:
            at, played, names = self.start, [], []
            for label in labels:
                legal = _labelled(at)
                if label not in legal:
                    raise Error(f"{label!r} is not a legal move here")
                names.append(_written(at, legal[label]))
                played.append(legal[label])
                at = at.play(legal[label])
            line = list(labels)
            if think and _outcome(at) is None:
                best = self._player.think(at, **self._limits).best_move
                line.append(next(label for label, m in _labelled(at).items() if m == best))
                names.append(_written(at, best))
                played.append(best)
                at = at.play(best)
            self.position, self.moves = at, played
            return {**_shown(at), "line": line, "written": names, "engine": self._engine is not None and at.turn() == self._engine}


def board(
    position: Any, *, engine: int | None = 1, player: Player | None = None, height: int = 660, **limits: Any
) -> Board:
    """A board to play on in a cell of a notebook. The engine plays side `engine`, or none if that is None.

    `limits` are those of `Player.think`, by default one second for each move. A game in Python is drawn from its `str`: rows of
    single characters become a board; other texts are shown as they are, with a button for each move.

    >>> import emtee
    >>> shown = emtee.notebook.board(emtee.tictactoe(), depth=9)
    >>> shown.url.startswith("http://127.0.0.1:")
    True
    >>> shown.close()
    """
    if engine not in (0, 1, None):
        raise Error("engine is the side that the engine plays: 0, 1 or None")
    return Board(position, engine, player or Player(), limits or {"seconds": 1.0}, height)


def _labelled(position: Any) -> dict[str, Any]:
    """The moves by their texts; equal texts are numbered."""
    labels: dict[str, Any] = {}
    for m in position.moves():
        text, number = str(m), 2
        while text in labels:
            text, number = f"{m} #{number}", number + 1
        labels[text] = m
    return labels


def _written(position: Any, m: Any) -> str:
    return position.written(m) if isinstance(position, Position) else str(m)


def _cells(position: Any) -> dict[str, Any] | None:
    """The drawing of a position in the form of the explorer."""
    drawing = position.drawing() if isinstance(position, Position) else None
    if drawing is None:
        return None
    names = ("text", "ink", "ground", "changed")
    return {
        "rows": [[dict(zip(names, cell)) for cell in cells] for _, cells, _ in drawing["rows"]],
        "row_names": [[left, right] for left, _, right in drawing["rows"]],
        "columns": [list(drawing["columns"][0]), list(drawing["columns"][1])],
        "caption": drawing["caption"],
    }


def _changes(before: dict[str, Any] | None, after: dict[str, Any] | None) -> list[list[Any]]:
    """The cells that a move changes."""
    if before is None or after is None:
        return []
    return [
        [row, column, new["text"], new["ink"]]
        for row, (olds, news) in enumerate(zip(before["rows"], after["rows"]))
        for column, (old, new) in enumerate(zip(olds, news))
        if (old["text"], old["ink"]) != (new["text"], new["ink"])
    ]


def _shown(at: Any) -> dict[str, Any]:
    """A position as the explorer's server sends it."""
    outcome, turn, drawing = _outcome(at), at.turn(), _cells(at)
    moves = [] if outcome is not None else list(_labelled(at).items())
    ending = None
    if outcome is not None:
        points = {"won": 1, "lost": -1, "drawn": 0}[outcome] if isinstance(outcome, str) else int(outcome)
        winner = None if points == 0 else turn if points > 0 else 1 - turn
        by = f" by {abs(points)}" if not isinstance(outcome, str) and points else ""
        ending = {"winner": winner, "text": "A draw." if winner is None else f"{_side(winner)} wins{by}."}
    return {
        "game": _game_name(at),
        "drawing": drawing,
        "plain": _plain(at),
        "turn": turn,
        "moves": [{"move": label, "written": _written(at, m), "changes": _changes(drawing, _cells(at.play(m)))} for label, m in moves],
        "ending": ending,
        "status": (drawing or {}).get("caption") or f"{_side(turn)} to move",
    }


def _plain(position: Any) -> str:
    """The text of a position; of a class without one, its attributes."""
    defined = {name for kind in type(position).__mro__[:-1] for name in vars(kind)}
    if not defined & {"__str__", "__repr__"} and hasattr(position, "__dict__"):
        return "\n".join(f"{name} = {value!r}" for name, value in vars(position).items())
    return str(position)


def _side(side: int) -> str:
    return "The first side" if side == 0 else "The second side"


#: The most bytes of a request.
_MAX_BODY = 1 << 16


def _handler(shown: Board) -> type[BaseHTTPRequestHandler]:
    page = board_page(f"{_game_name(shown.start)} in a notebook").encode()

    class Handler(BaseHTTPRequestHandler):
        def _send(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.send_header("cache-control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def _is_known(self) -> bool:
            known = secrets.compare_digest(self.path.encode(), shown._path.encode())
            if not known:
                self._send(404, "text/plain", b"not found")
            return known

        def do_GET(self) -> None:
            if self._is_known():
                self._send(200, "text/html; charset=utf-8", page)

        def do_POST(self) -> None:
            if not self._is_known():
                return
            try:
                length = int(self.headers.get("content-length", 0))
                if not 0 <= length <= _MAX_BODY:
                    raise Error(f"a request has at most {_MAX_BODY} bytes")
                asked = json.loads(self.rfile.read(length))
                answer = shown._answer([str(m) for m in asked["moves"]], bool(asked["think"]))
            except Exception as error:  # The browser shows it; the kernel goes on.
                answer = {"error": f"{type(error).__name__}: {error}"}
            self._send(200, "application/json", json.dumps(answer).encode())

        def log_message(self, format: str, *args: Any) -> None:
            """Requests are not logged into the notebook."""

    return Handler
