"""How long moves take."""

import os
import time


class Watch:
    """Measures moves. A machine that does other things too makes any engine late, so lateness is told and not judged, unless
    no machine can be blamed for it. With STRICT in the environment, on a quiet machine, a flag that falls ends the test."""

    HOPELESS = 2.0

    def __init__(self):
        self.excess = []
        self.flags = 0

    def time(self, move, allowed):
        """Runs a move: its result, and the seconds it took."""
        began = time.perf_counter()
        result = move()
        return result, self.note(time.perf_counter() - began, allowed)

    def note(self, took, allowed):
        """A move took so long."""
        self.excess.append(took - allowed)
        if took > allowed + self.HOPELESS:
            raise SystemExit(f"a move took {took:.3f} s of {allowed:.3f} s")
        return took

    def press(self, left):
        """The clock after a move."""
        if left <= 0:
            self.flags += 1
            if "STRICT" in os.environ:
                raise SystemExit(f"a flag fell by {-1e3 * left:.1f} ms")
        return max(left, 0.0)

    def report(self, game):
        excess = sorted(self.excess)
        middle, worst = 1e3 * excess[len(excess) // 2], 1e3 * excess[-1]
        late = f"{middle:.1f} ms in the middle, {worst:.1f} ms at worst"
        print(f"{game}: {len(excess)} moves, beyond the time allowed {late}; {self.flags} flags fell")
