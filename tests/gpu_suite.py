"""Runs the tests that are about GPUs, and some under compute-sanitizer; saves a dated record of the outcome.

usage: gpu_suite.py RECORD.json COMMIT TEST_PROGRAM...   (COMMIT "": the one that is checked out)

All cases of tag [gpu] of a program run in one process, those of tag [sanitize] also under memcheck and racecheck, of
[memcheck] under the former, when
compute-sanitizer is installed. The record says on which GPU, driver, CUDA and commit. Exit status 0 when
everything passed.
"""

import datetime
import json
import os
import re
import shutil
import subprocess
import sys


def output_of(*command):
    """The output of a command, or nothing if it is missing or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def run_cases(program, tag):
    """The counts in Catch2's last line, the exit status, and the output."""
    ended = subprocess.run([*program, tag], capture_output=True, text=True, check=False)
    text = ended.stdout + ended.stderr
    skipped = text.count("skipped, there is no GPU")
    passed = re.search(r"All tests passed \(\d+ assertions? in (\d+) test cases?\)", text)
    counts = re.search(r"test cases:\s*(\d+)", text)
    failed = re.search(r"test cases:.*?(\d+) failed", text)
    cases = int((passed or counts or [0, 0])[1])
    return {
        "cases": cases,
        "failed": int(failed[1]) if failed else (0 if ended.returncode == 0 else cases),
        "skipped": skipped,
    }, ended.returncode, text


def sanitized(program, tool):
    """The outcome of the quick tests under a tool of compute-sanitizer."""
    sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    if not os.access(sanitizer, os.X_OK):
        return {"outcome": "not installed"}, 0, ""
    command = [sanitizer, "--tool", tool, "--error-exitcode", "99", *program]
    # Racecheck ignores barriers for some threads of a block, and reports accesses that they order.
    counts, status, text = run_cases(command, "[sanitize]" if tool == "racecheck" else "[sanitize],[memcheck]")
    summary = re.findall(r"=+ ((?:ERROR|RACECHECK) SUMMARY: .*)", text)
    return {"outcome": summary[-1] if summary else f"exit status {status}", **counts}, status, text


def together(outcomes):
    """The counts of all programs, and the findings of each tool."""
    record = {key: sum(one.get(key, 0) for one in outcomes) for key in ("cases", "failed", "skipped")}
    said = sorted({one["outcome"] for one in outcomes if "outcome" in one})
    return {"outcome": "; ".join(said), **record} if said else record


def source_commit():
    """The checked-out commit, and whether files differ from it."""
    commit = output_of("git", "rev-parse", "HEAD")
    # This program writes the record itself, so changes in bench/results/ do not count.
    changed = output_of("git", "status", "--porcelain", "--untracked-files=no", "--", ".", ":!results")
    return commit + (" with changes" if changed else "")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    record_path, commit, *programs = sys.argv[1:]
    gpu = output_of("nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader")
    if not gpu:
        sys.exit("gpu_suite: nvidia-smi names no GPU")
    name, driver, capability = (part.strip() for part in gpu.splitlines()[0].split(","))
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    toolkit = re.search(r"release ([0-9.]+)", output_of(nvcc, "--version"))
    record = {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "gpu": name,
        "compute_capability": capability,
        "gpus": len(gpu.splitlines()),
        "driver": driver,
        "cuda": toolkit[1] if toolkit else "unknown",
        "commit": commit or source_commit(),
    }
    ok = True
    for what, run in (
        ("tests", lambda program: run_cases(program, "[gpu]")),
        ("memcheck", lambda program: sanitized(program, "memcheck")),
        ("racecheck", lambda program: sanitized(program, "racecheck")),
    ):
        outcomes = []
        for path in programs:
            outcome, status, text = run([os.path.abspath(path)])
            outcomes.append(outcome)
            print(f"gpu_suite: {what} of {path}: {outcome}")
            if status != 0:
                ok = False
                print(text[-10000:], file=sys.stderr)
        record[what] = together(outcomes)
    ok = ok and record["tests"]["cases"] > 0 and record["tests"]["skipped"] == 0
    record["passed"] = ok
    with open(record_path, "w", encoding="utf-8") as file:
        json.dump(record, file, indent=2)
        file.write("\n")
    sys.exit(0 if ok else 1)


main()
