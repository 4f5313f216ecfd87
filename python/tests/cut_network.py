"""Word count on Dask over four network namespaces, one of which is cut off for 20 s. Needs root:

    unshare --net build/venv/bin/python python/tests/cut_network.py build/gpu/duomap TEXT

pytest does not run this, because it takes a minute and makes network namespaces.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time

import distributed

from duomap import dask, parts

CUT, HOSTS, SCHEDULER = 20, 4, "10.77.0.1"


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


def make_hosts():
    ip("link", "set", "lo", "up")
    ip("link", "add", "switch", "type", "bridge")
    ip("addr", "add", f"{SCHEDULER}/24", "dev", "switch")
    ip("link", "set", "switch", "up")
    for host in range(HOSTS):
        name = f"duomap-{os.getpid()}-{host}"
        ip("netns", "add", name)
        yield name
        ip("link", "add", f"port{host}", "master", "switch", "type", "veth", "peer", "name", "uplink", "netns", name)
        ip("link", "set", f"port{host}", "up")
        ip("-n", name, "addr", "add", f"10.77.0.{host + 2}/24", "dev", "uplink")
        for device in ("lo", "uplink"):
            ip("-n", name, "link", "set", device, "up")


def cut_one(after):
    time.sleep(after)
    ip("link", "set", "port2", "down")
    time.sleep(CUT)
    ip("link", "set", "port2", "up")


def slow(program, folder):
    """A program that waits 0.5 s and then runs duomap, so that the cut comes during the run."""
    path = os.path.join(folder, "duomap")
    with open(path, "w") as script:
        script.write(f"#!/bin/sh\nsleep 0.5\nexec '{os.path.abspath(program)}' \"$@\"\n")
    os.chmod(path, 0o755)
    return path


def main(program, text):
    hosts, workers = [], []
    path = os.path.abspath(text)
    whole = parts.RunInParts("wordcount", [path], program=program)
    expected = whole.finish([whole.map(0, 1)], ["--sort", "key"])
    with tempfile.TemporaryDirectory() as folder:
        run = parts.RunInParts("wordcount", [path], execution=["--threads", "1"], program=slow(program, folder))
        try:
            hosts.extend(make_hosts())
            with distributed.LocalCluster(n_workers=0, host=SCHEDULER, scheduler_port=8786, dashboard_address=None) as cluster, \
                 distributed.Client(cluster) as client:
                for name in hosts:
                    workers.append(subprocess.Popen(
                        ["ip", "netns", "exec", name, sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1",
                         "--no-dashboard", "--local-directory", folder, cluster.scheduler_address],
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
                client.wait_for_workers(HOSTS, timeout=60)
                for cut in (False, True):
                    begin = time.monotonic()
                    cutter = threading.Thread(target=cut_one, args=(2,))
                    if cut:
                        cutter.start()
                    rows = dask.submit(client, run, ["--sort", "key"], parts=32).result(timeout=120)
                    print(f"{'link cut for 20 s' if cut else 'whole network'}: "
                          f"{'right' if rows == expected else 'WRONG'}, {time.monotonic() - begin:.1f} s", flush=True)
                    if cut:
                        cutter.join()
        finally:
            for worker in workers:
                worker.terminate()
                worker.wait()
            for name in hosts:
                ip("netns", "del", name)


if __name__ == "__main__":
    main(*sys.argv[1:])
