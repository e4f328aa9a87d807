"""Runs the parts of an experiment as tasks of Ray, then merges them.

    python shards_on_ray.py experiment.toml out 8

Every machine of the cluster must have `emtee` and see the folder.
"""

import subprocess
import sys
from pathlib import Path

import ray


@ray.remote(num_cpus=1, max_retries=3)
def part(file: str, out: str, which: int, of: int) -> str:
    """Runs one part. Ray restarts it if a machine is lost; it then continues with what is finished."""
    folder = f"{out}/part{which}"
    command = ["emtee", "experiment", file, "--shard", f"{which}/{of}", "--jobs", "1", "--out", folder]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder


def main() -> None:
    file, out, parts = sys.argv[1], sys.argv[2], int(sys.argv[3])
    file, out = str(Path(file).resolve()), str(Path(out).resolve())
    ray.init(include_dashboard=False)
    folders = ray.get([part.remote(file, out, which, parts) for which in range(1, parts + 1)])
    subprocess.run(["emtee", "merge", *folders, "--out", f"{out}/whole"], check=True)


if __name__ == "__main__":
    main()
