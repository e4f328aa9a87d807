"""How long moves take."""

import time


class Watch:
    """Measures moves. Whether one took too long depends on the machine too, so the excess is reported, not judged, unless
    it is so large that no machine can be blamed."""

    HOPELESS = 2.0

    def __init__(self):
        self.moves = 0
        self.excess = []

    def time(self, move, allowed):
        """Runs a move: its result, and the seconds it took."""
        began = time.perf_counter()
        result = move()
        took = time.perf_counter() - began
        self.moves += 1
        self.excess.append(took - allowed)
        if took > allowed + self.HOPELESS:
            raise SystemExit(f"a move took {took:.3f} s of {allowed:.3f} s")
        return result, took

    def report(self, game):
        excess = sorted(self.excess)
        middle, worst = excess[len(excess) // 2], excess[-1]
        print(f"{game}: {self.moves} moves, beyond the time allowed {1e3 * middle:.1f} ms in the middle, {1e3 * worst:.1f} ms at worst")
