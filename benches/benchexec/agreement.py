#!/usr/bin/env python3
"""Do BenchExec and `ult-bench` measure the same? Each run is measured by both, one inside of the other.

    agreement.py BENCH TASKS.csv OUT.md NAME=COMMAND...

BENCH is `ult-bench`. COMMAND is one of a shell in which `{file}` stands for the task. Needs BenchExec, and control groups.
"""

import csv
import json
import logging
import os
import shlex
import sys
import tempfile

from benchexec.runexecutor import RunExecutor

# Processor seconds; the runs may be slower when the machine is busy.
LIMIT = 10

# Below, the start of processes counts for more.
LEAST = 0.2


def main(bench, tasks, out, commands):
    logging.disable(logging.WARNING)
    executor = RunExecutor(use_namespaces=False)
    folder = os.path.dirname(tasks)
    with open(tasks, encoding="utf-8") as file:
        names = [row["file"] for row in csv.DictReader(line for line in file if not line.startswith("#"))]
    rows = []
    for name in names:
        for tool, command in commands:
            words = [word.replace("{file}", os.path.join(folder, name)) for word in shlex.split(command)]
            with tempfile.TemporaryDirectory() as work:
                report = os.path.join(work, "report")
                run = executor.execute_run(
                    [bench, "measure", "--report", report, "--", *words],
                    os.path.join(work, "output"),
                    hardtimelimit=LIMIT,
                    walltimelimit=10 * LIMIT,
                    memlimit=4_000_000_000,
                )
                if "terminationreason" in run or not os.path.exists(report):
                    continue
                with open(report, encoding="utf-8") as file:
                    own = json.load(file)["Ok"]
                rows.append((name, tool, run, own))
                print(name, tool, run["cputime"], own["cpu"], flush=True)
    with open(out, "w", encoding="utf-8") as file:
        file.write(table(rows, len(names) * len(commands)))


def table(rows, runs):
    # `ult-bench` itself is below BenchExec, and tells what it takes.
    both = [(float(run["cputime"]) - own["own"], own["cpu"]) for _, _, run, own in rows]
    sums = [sum(column) for column in zip(*both)]
    apart = [abs(own / outer - 1) for outer, own in both if outer > LEAST]
    text = "# The same runs, measured by BenchExec and by `ult-bench`\n\n"
    text += f"{len(rows)} of {runs} runs ended within {LIMIT} s of processor time. BenchExec measures `ult-bench measure` with all "
    text += "below it; the time that `ult-bench` says it takes itself is subtracted. What is left between both is the start of processes.\n\n"
    text += f"Processor time in all: {sums[0]:.3f} s by BenchExec's control group, {sums[1]:.3f} s by `ult-bench`, "
    text += f"ratio {sums[1] / sums[0]:.4f}. The largest difference of a run above {LEAST} s is {100 * max(apart):.2f} %.\n\n"
    text += "| task | tool | BenchExec, s | ult-bench, s | BenchExec, MB | ult-bench, MB |\n|---|---|--:|--:|--:|--:|\n"
    for name, tool, run, own in rows:
        memory = [int(run.get("memory", 0)) / 1e6, own["memory"] / 1e6]
        text += f"| {name.replace('_', chr(92) + '_')} | {tool} | {float(run['cputime']) - own['own']:.3f} | {own['cpu']:.3f} "
        text += f"| {memory[0]:.1f} | {memory[1]:.1f} |\n"
    return text


if __name__ == "__main__":
    main(*sys.argv[1:4], [argument.split("=", 1) for argument in sys.argv[4:]])
