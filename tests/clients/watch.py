"""Measurement of move times."""

import os
import time


class Watch:
    """Measures moves. On a machine that runs other programs any engine is late, so delays are only reported, unless they are
    too long for this explanation. With STRICT in the environment, on an idle machine, a loss on time ends the test."""

    MAX_EXCESS = 2.0

    def __init__(self):
        self.excess = []
        self.flags = 0

    def time(self, move, allowed):
        """Makes a move and returns its result and its time in seconds."""
        began = time.perf_counter()
        result = move()
        return result, self.note(time.perf_counter() - began, allowed)

    def note(self, took, allowed):
        """Records the time of a move."""
        self.excess.append(took - allowed)
        if took > allowed + self.MAX_EXCESS:
            raise SystemExit(f"a move took {took:.3f} s of {allowed:.3f} s")
        return took

    def press(self, left):
        """The clock after a move."""
        if left <= 0:
            self.flags += 1
            if "STRICT" in os.environ:
                raise SystemExit(f"a loss on time by {-1e3 * left:.1f} ms")
        return max(left, 0.0)

    def report(self, game):
        excess = sorted(self.excess)
        middle, worst = 1e3 * excess[len(excess) // 2], 1e3 * excess[-1]
        late = f"{middle:.1f} ms median, {worst:.1f} ms maximum"
        print(f"{game}: {len(excess)} moves, beyond the time allowed {late}; {self.flags} losses on time")
