"""Players on the built-in games."""

from __future__ import annotations

import asyncio
import threading
import time
import xml.dom.minidom
from typing import Any

import pytest

import emtee
from emtee import Player


def test_every_algorithm_finds_the_same_value() -> None:
    for position, depth in [(emtee.connect4("44"), 5), (emtee.kalah(), 4), (emtee.tree("paper"), 4), (emtee.tictactoe(), 5)]:
        values = set()
        for name in emtee.algorithms():
            found = Player(algorithm=name).think(position, depth=depth)
            assert found.complete and found.depth == depth
            if not name.startswith(("mtd-best", "bns")):
                values.add(int(found.value))
            else:
                assert found.value is None and found.f.lower <= next(iter(values)) <= found.f.upper
        assert len(values) == 1, values


OPTIONS: list[dict[str, Any]] = [
    {"hash": "1MB"},
    {"entries": 1000},
    {"keep": "one"},
    {"reuse": "equal-depth"},
    {"store_leaves": True},
    {"etc": 2},
    {"ordering": "as-given"},
    {"ordering": "table-move,history"},
    {"guess": "previous"},
    {"first_guess": 20},
    {"range": (-31_999, 31_999)},
    {"principal_variation": False},
    {"threads": 2},
    {"threads": 2, "share_from": 1},
    {"fixed_depth": True},
    {"in_play": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options_do_not_change_the_value(options: dict[str, Any]) -> None:
    position = emtee.connect4("4")
    assert Player(**options).think(position, depth=7).value == Player().think(position, depth=7).value


def test_every_option_has_its_effect() -> None:
    position = emtee.connect4("4")
    plain = Player().think(position, depth=6)
    assert [i.depth for i in Player(deepen_by=2).think(position, depth=6).iterations] == [2, 4, 6]
    assert len(Player(fixed_depth=True).think(position, depth=6).iterations) == 1
    assert Player(entries=64).think(position, depth=6).counts.nodes > plain.counts.nodes
    chess, driver = emtee.positions("chess")[3], "mtd-bi"
    assert Player(algorithm=driver, keep="one").think(chess, depth=4).counts != Player(algorithm=driver).think(chess, depth=4).counts
    assert Player(store_leaves=True).think(position, depth=6).counts.nbp < plain.counts.nbp
    assert Player(etc=1).think(position, depth=6).counts.enhanced_cuts > 0
    assert Player(ordering="as-given").think(position, depth=6).counts.nodes != plain.counts.nodes
    assert Player(first_guess=500, fixed_depth=True).think(position, depth=4).iterations[0].passes[0].window.beta == 500
    top = Player(algorithm="sss", range=(-1000, 1000), fixed_depth=True).think(emtee.tree("paper"), depth=4)
    assert top.iterations[0].passes[0].window.beta == 1000
    assert len(Player(principal_variation=False).think(position, depth=6).pv) == 1 < len(plain.pv)
    assert Player(threads=2, share_from=1).think(position, depth=8).parallel.threads == 2 and plain.parallel is None
    assert Player(grain=50).think(position, depth=3).value % 50 == 0
    assert Player(selective="all").think(chess, depth=5).counts.nodes < Player().think(chess, depth=5).counts.nodes
    assert Player(selective="game").think(chess, depth=5).counts.nodes < Player().think(chess, depth=5).counts.nodes
    player = Player()
    first = player.think(position, depth=6)
    assert player.think(position, depth=6).counts.nodes < first.counts.nodes
    player.clear()
    assert player.think(position, depth=6).counts == first.counts
    assert player.table_entries > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "mtd-g"}, "there is no algorithm 'mtd-g'; did you mean 'mtd-f'?"),
        ({"hash": "64 potatoes"}, "'64 potatoes' is not a size; write it like 64MB, 2GB or 512KB"),
        ({"algorithm": "minimax", "hash": "1MB"}, "minimax uses no table; leave out the options of the table"),
        ({"algorithm": "alpha-beta", "threads": 2}, "alpha-beta searches on one thread; choose an MT driver or NegaScout for more"),
        ({"keep": "three"}, "'three' is not a number of bounds; choose one or two"),
        ({"threads": 1000}, "1000 threads are too many; choose 1 to 256"),
        ({"driver": lambda s: s.g, "algorithm": "sss"}, "a driver replaces the algorithm; give only one of the two"),
        ({"range": (5, 5)}, "range: 5 is not below 5"),
        ({"grain": 0}, "a grain of 0 is not possible; choose 1 or more"),
        ({"selective": "all,-nul-move"}, "'-nul-move' is not a switch of selective search; choose "),
        ({"ordering": "random"}, "'random' is not an ordering; choose full, as-given, or some of "),
        ({"guess": "wild"}, "'wild' is not a guess; choose previous, two-back, better or average"),
        ({"selective": "game", "etc": 2}, "selective search has no enhanced transposition cutoffs; leave out etc or "),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_options_are_errors_at_once(options: dict[str, Any], message: str) -> None:
    with pytest.raises(emtee.Error) as error:
        Player(**options)
    assert str(error.value).startswith(message)
    assert isinstance(error.value, ValueError)


def test_renamed_switches_are_accepted_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match="'exchanges' is now called see-pruning"):
        Player(selective="all,-exchanges")


def test_unknown_options_and_limits() -> None:
    with pytest.raises(TypeError, match="there is no option 'hsh'; did you mean 'hash'?"):
        Player(hsh="1MB")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Player(algorithm="mtd-f", threads="two")  # type: ignore[arg-type]
    for depth in (0, -1, 251, 1000):
        with pytest.raises(emtee.Error, match="cannot be searched; choose one from 1 to 250"):
            Player().think(emtee.kalah(), depth=depth)
    with pytest.raises(emtee.Error, match="seconds"):
        Player().think(emtee.kalah(), seconds=-1)
    for both in ({"deepen_by": 2, "fixed_depth": True}, {"fixed_depth": True, "deepen_by": 2}):
        with pytest.raises(emtee.Error, match="a search of fixed depth does not deepen"):
            Player(**both)  # type: ignore[arg-type]
    Player(deepen_by=2, fixed_depth=False)
    with pytest.raises(emtee.Error, match="a search without deepening needs a depth in its budget"):
        Player(fixed_depth=True).think(emtee.kalah(), nodes=100)
    with pytest.raises(TypeError, match="int is not a position of a game: it has no method turn"):
        Player().think(3)  # type: ignore[call-overload]
    with pytest.raises(emtee.Error, match="minimax"):
        Player(algorithm="minimax", in_play=True).think(emtee.chess(), depth=2)


def test_limits() -> None:
    player = Player()
    began = time.perf_counter()
    found = player.think(emtee.chess(), seconds=0.2)
    assert 0.1 < time.perf_counter() - began < 5 and not found.complete and found.best_move in emtee.chess().moves()
    found = Player().think(emtee.chess(), nodes=5000)
    assert not found.complete and found.counts.nodes <= 5000
    assert Player().think(emtee.tictactoe()).complete
    over = emtee.tictactoe("XXXOO----")
    assert Player().think(over).best_move is None and Player().think(over).value.loses_in == 0


def test_results() -> None:
    position = emtee.connect4("4455")
    found = Player().think(position)
    assert found.value == 31_997 and found.value.wins_in == 3 and f"{found.value}" == "win in 3"
    assert found.f == (31_997, 31_997) and found.f.exact == found.value
    after = position.after(*found.pv)
    assert len(found.pv) == 3 and after.outcome() == "lost"
    assert found.passes == sum(len(iteration.passes) for iteration in found.iterations)
    last = found.iterations[-1]
    assert last.exact and last.value == found.value and last.best_move == found.best_move
    assert sum(i.counts.nodes for i in found.iterations) == found.counts.nodes == found.counts.as_dict()["nodes"]
    for iteration in found.iterations:
        for one in iteration.passes:
            assert one.gamma is not None and one.g in one.f if one.g > one.gamma else one.f.upper <= one.g
    assert found.time > 0 and found.heights and found.unfinished is None
    xml.dom.minidom.parseString(found._repr_svg_())


def test_ranking_and_choosing() -> None:
    player = Player()
    ranked = player.rank(emtee.connect4(), 3, depth=6)
    assert len(ranked) == 3 and all(one.depth == 6 and one.value is not None and one.pv[0] == one.m for one in ranked)
    assert [one.value for one in ranked] == sorted((one.value for one in ranked), reverse=True)
    for one in ranked:
        assert Player().worth(emtee.connect4(), one.m, depth=6) == one.value
    assert player.rank(emtee.connect4(), 0, depth=3) == []
    assert player.think(emtee.connect4(), depth=4, among=["1", "7"]).best_move in ("1", "7")
    with pytest.raises(emtee.Error, match="among: 8 is not a legal move"):
        player.think(emtee.connect4(), depth=4, among=["8"])
    one = Player().choose(emtee.othello(), level=3, seed=7)
    two = Player().choose(emtee.othello(), level="3", seed=7)
    assert one.m == two.m in one.among and one.found.counts.nodes <= 2_000
    assert len({Player().choose(emtee.connect4(), level=1, seed=seed).m for seed in range(20)}) > 1
    with pytest.raises(emtee.Error, match="'11' is not a level; choose a number from 1 to 10"):
        player.choose(emtee.othello(), level=11)


def test_slices_have_the_same_result() -> None:
    whole = Player().think(emtee.kalah(), depth=6)
    player = Player()
    assert player.poll(nodes=10).state == "idle"
    player.start(emtee.kalah(), depth=6)
    polls = 0
    while (poll := player.poll(nodes=100)).state == "thinking":
        polls += 1
        assert poll.found is None and poll.nodes > 0
    assert polls > 1 and poll.found is not None and poll.found.value == whole.value and poll.found.best_move == whole.best_move
    player.start(emtee.chess())
    player.poll(nodes=3000)
    stopped = player.stop()
    assert stopped is not None and not stopped.complete and stopped.best_move in emtee.chess().moves()
    assert player.poll(nodes=10).state == "idle" and player.stop() is None
    assert player.found is not None and player.found.depth == stopped.depth


def test_single_passes() -> None:
    player, tree = Player(), emtee.tree("paper")
    assert player.mt(tree, 4, 34.5) >= 35 and player.mt(tree, 4, 35.5) <= 35
    assert player.one_pass(tree, 4, 34.5).gamma == 34.5
    assert Player().window(tree, 4, 0, 100).g == 35
    with pytest.raises(ValueError, match="gamma lies between two integers"):
        player.mt(tree, 4, 35)
    first = Player().one_pass(emtee.connect4(), 6, -0.5)
    player = Player()
    player.one_pass(emtee.connect4(), 6, -0.5)
    assert player.one_pass(emtee.connect4(), 6, -0.5).counts.nodes < first.counts.nodes
    player.forget_bounds()
    assert player.one_pass(emtee.connect4(), 6, -0.5).counts.nodes > first.counts.nodes / 2


def test_progress_and_observers() -> None:
    seen: list[Any] = []
    passes: list[Any] = []
    found = Player(deepen_by=1).think(emtee.connect4(), depth=5, progress=seen.append, on_pass=passes.append)
    assert [i.depth for i in seen] == [1, 2, 3, 4, 5] and len(passes) == found.passes
    assert seen[-1].value == found.value

    class Count:
        entered = left = evaluated = 0

        def enter(self, position: Any, depth: int, window: Any) -> None:
            self.entered += 1

        def leave(self, position: Any, visit: Any) -> None:
            self.left += 1
            self.evaluated += visit.end == "evaluated"

    for position in (emtee.connect4(), emtee.othello(), emtee.chess(), emtee.checkers(), emtee.kalah()):
        count = Count()
        found = Player(principal_variation=False).think(position, depth=3, observer=count)
        assert (count.entered, count.evaluated) == (found.counts.nodes, found.counts.nbp) and count.left == count.entered

    def fails(_: Any) -> None:
        raise LookupError("seen enough")

    player = Player()
    with pytest.raises(LookupError, match="seen enough"):
        player.think(emtee.connect4(), depth=5, progress=fails)
    assert player.think(emtee.connect4(), depth=5).value == found_value(emtee.connect4(), 5)


def found_value(position: emtee.Position, depth: int) -> Any:
    return Player().think(position, depth=depth).value


def test_drivers() -> None:
    def mtd_f(s: emtee.Progress) -> int:
        return s.g if s.passes == 0 or s.failed_low else s.g + 1

    def by_tens(s: emtee.Progress) -> int:
        return s.g - 9 if s.failed_low else s.g + 10

    for position in (emtee.connect4("44"), emtee.kalah(), emtee.tree("paper")):
        named = Player().think(position, depth=4)
        mine = Player(driver=mtd_f).think(position, depth=4)
        assert mine.counts == named.counts and mine.value == named.value
        assert Player(driver=by_tens).think(position, depth=4).value == named.value
    assert Player(driver=mtd_f).algorithm == "driver"
    with pytest.raises(ZeroDivisionError):
        Player(driver=lambda s: 1 // 0).think(emtee.kalah(), depth=4)
    with pytest.raises(TypeError, match="a driver returns an int"):
        Player(driver=lambda s: None).think(emtee.kalah(), depth=4)  # type: ignore[arg-type,return-value]


def test_evaluations_in_python() -> None:
    calls = []

    def evaluate(position: emtee.Position) -> int:
        calls.append(position)
        return position.evaluate()

    position = emtee.connect4("44")
    assert Player(evaluate=evaluate).think(position, depth=4).value == Player().think(position, depth=4).value
    assert calls and all(isinstance(call, emtee.Position) for call in calls)
    assert Player(evaluate=lambda p: 7).think(emtee.chess(), depth=1).value == -7
    with pytest.raises(emtee.Error, match="an evaluation of 99999 is outside ±31000"):
        Player(evaluate=lambda p: 99_999).think(position, depth=2)
    with pytest.raises(TypeError, match="evaluate\\(\\) returned 0.5; return an int"):
        Player(evaluate=lambda p: 0.5).think(position, depth=2)  # type: ignore[arg-type,return-value]
    with pytest.raises(emtee.Error, match="an evaluation in Python runs on one thread"):
        Player(evaluate=evaluate, threads=2).think(position, depth=2)


def test_another_thread_runs_while_one_searches() -> None:
    busy = Player()
    thread = threading.Thread(target=busy.think, args=(emtee.chess(),), kwargs={"seconds": 20})
    thread.start()
    # If the search held the interpreter, this would wait for the whole 20 seconds.
    assert Player().think(emtee.connect4(), depth=6).depth == 6
    assert thread.is_alive()
    with pytest.raises(RuntimeError, match="this player is already in use"):
        busy.think(emtee.chess(), depth=2)
    busy.stop()
    thread.join(timeout=10)
    assert not thread.is_alive() and busy.found is not None and not busy.found.complete


def test_searches_can_be_awaited_and_cancelled() -> None:
    async def both() -> list[Any]:
        return await asyncio.gather(Player().think_async(emtee.kalah(), depth=5), Player().think_async(emtee.othello(), depth=4))

    assert [found.depth for found in asyncio.run(both())] == [5, 4]

    async def impatient() -> Player:
        player = Player()
        try:
            await asyncio.wait_for(player.think_async(emtee.chess(), seconds=60), timeout=0.2)
        except asyncio.TimeoutError:
            return player
        raise AssertionError("it was not cancelled")

    began = time.perf_counter()
    player = asyncio.run(impatient())
    assert time.perf_counter() - began < 30 and player.found is not None and player.found.best_move


def test_a_player_may_change_the_game() -> None:
    player = Player()
    for position in (emtee.kalah(), emtee.connect4(), emtee.kalah()):
        assert player.think(position, depth=4).value == Player().think(position, depth=4).value


def test_counts_repeat() -> None:
    assert Player().think(emtee.othello(), depth=5).counts == Player().think(emtee.othello(), depth=5).counts


def test_players_in_reference_cycles_are_collected() -> None:
    import gc
    import weakref

    class Holder:
        def drive(self, s: emtee.Progress) -> int:
            return s.g if s.passes == 0 or s.failed_low else s.g + 1

    holder = Holder()
    holder.player = Player(driver=holder.drive)  # type: ignore[attr-defined]
    holder.player.think(emtee.kalah(), depth=3)  # type: ignore[attr-defined]
    gone = weakref.ref(holder)
    del holder
    gc.collect()
    assert gone() is None
