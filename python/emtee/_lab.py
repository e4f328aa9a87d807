"""The lab: algorithms side by side, experiments, and results as tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ._emtee import Error, Player, Position, comparison, run_experiment, run_reproduce, standings

__all__ = ["Experiment", "compare", "experiment", "reproduce", "results"]

#: A DataFrame of pandas or polars, or a list of dicts.
Table = Any

#: The library that makes the tables.
Frame = Literal["pandas", "polars", "rows"]

_DEFAULT_ALGORITHMS = ("mtd-f", "mtd-gallop", "sss", "dual", "aspiration-negascout", "negascout", "alpha-beta")
_TABLES = ("runs", "iterations", "passes", "heights", "minimal", "evaluations", "times")


def _table(rows: list[dict[str, Any]], columns: Iterable[str], frame: Frame) -> Table:
    columns = list(columns)
    if frame == "rows":
        return rows
    if frame not in ("pandas", "polars"):
        raise Error(f"'{frame}' is not a kind of table; choose pandas, polars or rows")
    try:
        if frame == "pandas":
            import pandas

            return pandas.DataFrame(rows, columns=columns)
        import polars

        return polars.DataFrame(rows, schema=columns, infer_schema_length=None, orient="row") if rows else polars.DataFrame(schema=columns)
    except ImportError as error:
        raise ImportError(f"tables need {frame}: pip install {frame}, or choose frame=\"rows\"") from error


def compare(
    positions: Any,
    depth: int,
    algorithms: Iterable[str] = _DEFAULT_ALGORITHMS,
    *,
    frame: Frame = "pandas",
    repeat: int = 2,
    summary: bool = False,
    **options: Any,
) -> Table:
    """Algorithms side by side on the same positions, relative to Aspiration NegaScout. One row per position and algorithm.

    `positions` is a built-in position, a position of a game in Python, or a list of them. The options are those of `Player`. By
    default they are those of `emtee compare`, which has the same numbers: the paper's 2^20 entries, leaves stored, one ply per
    iteration, the game's best window and first guesses, and no enhanced transposition cutoffs. Each search is run `repeat`
    times, with the algorithms in forward and reverse order alternately, and the shortest time counts. Oracles stop after
    300,000 nodes. Different values from two algorithms are an `emtee.Error`.

    The columns: ``game``, ``position``, ``algorithm``, ``depth``, ``value`` (for the side to move; None from MTD-best), ``lower``
    and ``upper`` (f⁻ and f⁺), ``best_move``, ``passes``, ``nodes``, ``interior``, ``nbp`` (leaf evaluations),
    ``table_answers``, ``quiet_nodes``, ``cut_nodes``, ``first_move_cuts``, ``moves_at_cuts``, ``enhanced_cuts``, ``seconds``,
    ``complete``; counts are sums over all iterations. ``nbp_pct``, ``nodes_pct`` and ``seconds_pct``: in percent of the baseline.

    With `summary`, one row per game and algorithm: sums over the positions, and geometric means of the percentages.

    >>> import emtee
    >>> rows = emtee.compare(emtee.connect4(), 6, ["mtd-f", "alpha-beta"], frame="rows")
    >>> [row["algorithm"] for row in rows], {row["value"] for row in rows}
    (['mtd-f', 'alpha-beta', 'aspiration-negascout'], {0})
    >>> openings = [emtee.connect4(), emtee.connect4("44")]
    >>> [(row["algorithm"], row["positions"]) for row in emtee.compare(openings, 5, ["mtd-f"], frame="rows", summary=True)]
    [('mtd-f', 2), ('aspiration-negascout', 2)]
    """
    several = list(positions) if isinstance(positions, (list, tuple)) else [positions]
    names = list(algorithms)
    rows: list[dict[str, Any]] = []
    summaries: list[dict[str, Any]] = []
    for game in dict.fromkeys(map(_game_of, several)):
        of_game = [position for position in several if _game_of(position) == game]
        registered = game if isinstance(of_game[0], Position) else None
        compared, baseline, defaults = comparison(registered, names, depth)
        if registered is None and not hasattr(of_game[0], "key"):
            # Without keys there is no table.
            defaults = {"principal_variation": False}
        settings = _settings(defaults, options)
        costs: list[list[tuple[int, int, int, int, float]]] = [[] for _ in compared]
        for number, position in enumerate(of_game):
            found = _rows(position, depth, compared, settings, repeat)
            if settings.get("reuse", "equal-depth") == "equal-depth" and not settings.get("selective"):
                _check_values(found)
            own = [[_cost(number, row)] if row["complete"] else [] for row in found]
            for row, standing in zip(found, standings(baseline, own)):
                row.update({name: value for name, value in standing.items() if name.endswith("_pct")})
            for all_costs, cost in zip(costs, own):
                all_costs += cost
            rows += found
        for (name, _, _), standing in zip(compared, standings(baseline, costs)):
            summaries.append({"game": game, "algorithm": name, "depth": depth, **standing})
    shown = summaries if summary else rows
    return _table(shown, shown[0] if shown else [], frame)


def _settings(defaults: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    replaced = {"hash": "entries", "fixed_depth": "deepen_by"}
    dropped = {replaced[name] for name, value in options.items() if name in replaced and value is not None}
    return {name: value for name, value in defaults.items() if name not in dropped} | options


def _rows(
    position: Any, depth: int, compared: list[tuple[str, str, int | None]], settings: dict[str, Any], repeat: int
) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for turn in range(max(repeat, 1)):
        for name, algorithm, nodes in compared if turn % 2 == 0 else reversed(compared):
            row = _search(position, depth, name, algorithm, nodes, settings)
            if name in found:
                found[name]["seconds"] = min(found[name]["seconds"], row["seconds"])
            else:
                found[name] = row
    return [found[name] for name, _, _ in compared]


def _cost(number: int, row: dict[str, Any]) -> tuple[int, int, int, int, float]:
    return number, row["nbp"], row["nodes"], row["passes"], row["seconds"]


def _game_of(position: Any) -> str:
    return position.game if isinstance(position, Position) else type(position).__name__


def _label(position: Any) -> str:
    """The text of a position; of a game without `__str__` and `__repr__`, the values of its fields."""
    if isinstance(position, Position):
        return position.text
    cls = type(position)
    if any({"__str__", "__repr__"} & vars(base).keys() for base in cls.__mro__ if base is not object):
        return str(position)
    slots = [name for base in cls.__mro__ for name in getattr(base, "__slots__", ())]
    fields = {name: getattr(position, name) for name in slots if hasattr(position, name)} | getattr(position, "__dict__", {})
    text = f"{cls.__name__}({', '.join(f'{name}={value!r}' for name, value in fields.items())})"
    return text if len(text) <= 200 else text[:199] + "…"


def _search(
    position: Any, depth: int, name: str, algorithm: str, nodes: int | None, settings: dict[str, Any]
) -> dict[str, Any]:
    if algorithm in ("minimax", "stockman-sss", "stockman-dual"):
        table_options = ("entries", "hash", "keep", "reuse", "store_leaves", "etc")
        settings = {option: value for option, value in settings.items() if option not in table_options}
    found = Player(algorithm=algorithm, **settings).think(position, depth=depth, nodes=nodes)
    return {
        "game": _game_of(position),
        "position": _label(position),
        "algorithm": name,
        "depth": found.depth,
        "value": None if found.value is None else int(found.value),
        "lower": int(found.f.lower),
        "upper": int(found.f.upper),
        "best_move": found.best_move,
        "passes": found.passes,
        **{count: number for count, number in found.counts.as_dict().items()},
        "seconds": found.time,
        "complete": found.complete,
    }


def _check_values(rows: list[dict[str, Any]]) -> None:
    exact = [row for row in rows if row["value"] is not None and row["complete"]]
    for row in exact:
        if row["value"] != exact[0]["value"]:
            first = exact[0]
            raise Error(
                f"{first['algorithm']} finds {first['value']} and {row['algorithm']} finds {row['value']} in '{row['position']}': "
                "a value must depend only on the position and the depth; emtee.check may find the error in the game"
            )


@dataclass(frozen=True)
class Experiment:
    """The results of an experiment: the folder, and the claims and figures of the report."""

    #: The folder with the database, figures, tables, and `report.html`.
    folder: Path
    #: With `claims = true` in the experiment, each claim of the paper that the results can test, as a dict: section, claim, paper,
    #: here, verdict.
    claims: list[dict[str, Any]] = field(repr=False)
    #: Each figure as a dict: title, caption, svg.
    figures: list[dict[str, str]] = field(repr=False)
    #: Each ratio and sweep of the experiment, as a dict: name, game, and the ratios of ``nbp`` and ``nodes``: the geometric
    #: ``mean``, the ends ``low`` and ``high`` of its interval, and the number of ``positions``.
    ratios: list[dict[str, Any]] = field(repr=False)

    def table(self, name: str = "iterations", *, frame: Frame = "pandas") -> Table:
        """One of its tables; see `results`."""
        return results(self.folder, name, frame=frame)

    def _repr_html_(self) -> str:
        return "".join(f"<figure>{figure['svg']}<figcaption>{figure['caption']}</figcaption></figure>" for figure in self.figures)


def experiment(
    toml: str | Path,
    out: str | Path,
    *,
    jobs: int = 0,
    shard: tuple[int, int] = (1, 1),
    progress: Callable[[int, int], object] | None = None,
) -> Experiment:
    """Runs the experiment of a TOML file, or of its text, and writes the results into the folder `out`.

    Finished runs are not repeated: after Ctrl-C the same call continues the experiment. `progress` is called with the numbers of
    finished runs and of all runs. `jobs` is the number of runs at the same time, 0 for one per core.

    >>> import emtee, tempfile
    >>> text = '''
    ... title = "MTD-f on Kalah"
    ... figures = [11, 12]
    ... [[game]]
    ... name = "kalah"
    ... depth = 4
    ... positions = { random = 2, plies = 6 }
    ... '''
    >>> with tempfile.TemporaryDirectory() as out:
    ...     made = emtee.experiment(text, out)
    ...     sorted({row["depth"] for row in made.table(frame="rows")})
    [1, 2, 3, 4]
    """
    text = Path(toml).read_text() if isinstance(toml, Path) or "\n" not in toml else toml
    report = run_experiment(text, str(out), jobs, shard, progress)
    return Experiment(Path(out), report["claims"], report["figures"], report["ratios"])


def reproduce(
    out: str | Path = "reproduced",
    *,
    scale: Literal["quick", "paper", "deep", "full"] = "quick",
    jobs: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> Experiment:
    """Reruns the paper's experiments. The quick scale takes a few minutes."""
    report = run_reproduce(scale, str(out), jobs, progress)
    return Experiment(Path(out), report["claims"], report["figures"], report["ratios"])


def results(out: str | Path, table: str = "iterations", *, frame: Frame = "pandas") -> Table:
    """A table of the results of an experiment, with the settings of the run in each row.

    Every row begins with ``run``, ``kind``, ``game``, ``position``, ``algorithm``, ``entries``, ``bounds``, ``etc``, ``grain``
    and ``guess``: the settings of the run. They are followed by the columns of the table:

    ``iterations``
        ``depth``, ``value``, ``lower``, ``upper``, ``best_move``, ``passes``, ``nodes`` and every count, ``confirmed``
        (MTD-best), ``seconds``; counts are those of one iteration.
    ``passes``
        ``pass``, ``depth``, ``gamma`` or ``alpha`` and ``beta``, ``about``, ``g``, ``lower``, ``upper``, ``best_move``, ``nbp``, ``nodes``.
    ``heights``
        ``height``, ``cut_nodes``, ``first_move_cuts``, ``moves_at_cuts``.
    ``minimal``
        the left-first minimal graph: ``depth``, ``value``, ``nbp``, ``nodes``, ``max_tree``, ``min_tree``, ``rounds``.
    ``evaluations``
        ``depth``, ``nbp``, ``positions``: leaf evaluations, and the number of different positions among them.
    ``times``
        ``round``, ``depth``, ``seconds``, and ``against``: the same round of the baseline.
    ``runs``
        the runs themselves, all their columns.
    """
    if table not in _TABLES:
        raise Error(f"'{table}' is not a table of results; choose {', '.join(_TABLES)}")
    path = Path(out)
    path = path / "results.sqlite" if path.is_dir() else path
    if not path.is_file():
        raise FileNotFoundError(f"there are no results in {path}")
    settings = ("run", "kind", "game", "position", "algorithm", "entries", "bounds", "etc", "grain", "guess")
    query = (
        "SELECT * FROM runs ORDER BY run"
        if table == "runs"
        else f"SELECT {', '.join('runs.' + name for name in settings)}, {table}.* FROM {table} JOIN runs USING (run) ORDER BY 1, 12"
    )
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        cursor = connection.execute(query)
        names = [column[0] for column in cursor.description]
        # The number of the run occurs twice in a join; only the first is kept.
        wanted = [index for index, name in enumerate(names) if names.index(name) == index]
        rows = [{names[index]: row[index] for index in wanted} for row in cursor]
    except sqlite3.DatabaseError as error:
        raise Error(f"{path} is not an emtee results database: {error}") from error
    finally:
        connection.close()
    return _table(rows, [names[index] for index in wanted], frame)
