"""The stepper and the board of notebooks, for built-in games and for games in Python."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

import emtee
import pytest
from games import Nim


def post(board: emtee.notebook.Board, moves: list[str], think: bool = False) -> dict[str, Any]:
    body = json.dumps({"moves": moves, "think": think}).encode()
    with urllib.request.urlopen(urllib.request.Request(board.url, body), timeout=60) as response:
        return dict(json.load(response))


def test_stepper_of_the_paper() -> None:
    page = emtee.notebook.stepper("paper", "sss", "mtd-f")
    assert "sss and mtd-f on an explicit tree" in page and '"infinity":1000' in page
    frame = page._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and frame.count("<") == 2


def test_stepper_of_a_game_in_python() -> None:
    page = emtee.notebook.stepper(Nim(5), "mtd-f", depth=3)
    recording = json.loads(page.split('id="recording">')[1].split("</script>")[0].replace("\\u003c", "<"))
    # Three plies of Nim with five matches: 3 + 9 + the moves after them.
    assert recording["text"].count("(") == sum(node["value"] is None and node["word"] is None for node in recording["nodes"])
    found = emtee.Player(algorithm="minimax").think(Nim(5), depth=3)
    assert recording["runs"][0]["value"] is not None and found.value is not None
    with pytest.raises(emtee.Error, match="give the depth"):
        emtee.notebook.stepper(Nim(5))
    with pytest.raises(emtee.Error, match="more than 1500 nodes"):
        emtee.notebook.stepper(emtee.chess(), depth=4)


def test_board_of_a_game_in_python() -> None:
    board = emtee.notebook.board(Nim(10), depth=10)
    try:
        with urllib.request.urlopen(board.url) as response:
            page = response.read().decode()
        assert "showCell();" in page and board.url in board._repr_html_()
        first = post(board, [])
        assert [m["move"] for m in first["moves"]] == ["1", "2", "3"] and first["engine"] is False
        # The class has no text: its attributes are shown.
        assert first["plain"] == "matches = 10\nside = 0"
        line: list[str] = []
        while True:
            # This side always takes one match.
            found = post(board, [*line, "1"])
            if found["ending"] is None:
                assert found["engine"] is True
                found = post(board, found["line"], think=True)
            line = found["line"]
            if found["ending"] is not None:
                break
        assert found["ending"]["text"].endswith("wins.")
        assert len(board.moves) == len(line) and board.position.outcome() == "lost"
        assert "not a legal move" in post(board, ["7"])["error"]
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(board.url + "x")
    finally:
        board.close()


def test_board_of_chess() -> None:
    board = emtee.notebook.board(emtee.chess(moves=["f3", "e5", "g4"]), engine=1, depth=2)
    try:
        shown = post(board, [])
        assert shown["engine"] is True and shown["drawing"]["rows"][0][0]["text"] == "♜"
        after = post(board, [], think=True)
        assert after["written"] == ["Qh4#"] and after["ending"] == {"winner": 1, "text": "The second side wins."}
    finally:
        board.close()
    with pytest.raises(emtee.Error, match="engine"):
        emtee.notebook.board(Nim(3), engine=2)
