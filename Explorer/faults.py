#!/usr/bin/env python3
"""Plants the faults of faults.txt into a copy of the library, and expects that the explorer finds each: scripts/explore --faults.

With names of programs only the faults that these must find. All are built at once and switched on one at a time.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / ".build-explore-faults"
SWITCH = """
import Glibc

package enum Mutation {
    package static let active = unsafe getenv("MUTATION").map { unsafe atoi($0) } ?? 0
    @inline(never) package static func isOn(_ number: Int32) -> Bool { active == number }
}
"""

Fault = collections.namedtuple("Fault", "name file programs changes")


def faults():
    """The faults, each with the (old, new) lines of its changes."""
    for block in re.split(r"\n(?=fault )", (ROOT / "Explorer/faults.txt").read_text())[1:]:
        fields = dict(re.findall(r"^(fault|file|by) (.*)$", block, re.M))
        changes = []
        for line in block.splitlines():
            if line[:1] == "-":
                if not changes or changes[-1][1]:
                    changes.append(([], []))
                changes[-1][0].append(line[1:])
            elif line[:1] == "+":
                changes[-1][1].append(line[1:])
        yield Fault(fields["fault"], fields["file"], fields["by"].split(), changes)


def plant(number, fault):
    """Writes a fault into the copy, unless its lines do not stand there, as after another fault of the same lines."""
    path = COPY / "Sources" / fault.file
    text = path.read_text()
    for old, new in fault.changes:
        old, new = "\n".join(old) + "\n", "\n".join(new) + "\n"
        if text.count(old) != 1:
            return False
        text = text.replace(old, new.replace("mutant", f"Mutation.isOn({number})"))
    path.write_text(text)
    return True


def build():
    command = ["swift", "build", "--package-path", str(COPY / "Explorer"), "--scratch-path", str(COPY / "build"),
               "-c", "release", "--sanitize=thread", "--product", "Explore"]
    subprocess.run(command, check=True, stdout=sys.stderr)
    shown = subprocess.run(command + ["--show-bin-path"], check=True, capture_output=True, text=True)
    return pathlib.Path(shown.stdout.strip()) / "Explore"


def main():
    wanted, found, missed = set(sys.argv[1:]), 0, 0
    left = [(number, fault) for number, fault in enumerate(faults(), 1) if not wanted or wanted & set(fault.programs)]
    # Faults of the same lines cannot be planted together: as many rounds as there are such.
    while left:
        for folder in ("Sources", "Tests/StorageTesting", "Explorer"):
            shutil.rmtree(COPY / folder, ignore_errors=True)
            shutil.copytree(ROOT / folder, COPY / folder, symlinks=True)
        (COPY / "Sources/PaginatorCore/Mutation.swift").write_text(SWITCH)
        planted = [(number, fault) for number, fault in left if plant(number, fault)]
        later = [numbered for numbered in left if numbered not in planted]
        if not planted:
            sys.exit(f"error: the lines of '{left[0][1].name}' do not stand in {left[0][1].file} once")
        explore = build()
        for number, fault in planted:
            for program in fault.programs:
                environment = dict(os.environ, MUTATION=str(number), SWIFT_DETERMINISTIC_HASHING="1", SWIFT_BACKTRACE="enable=no")
                run = subprocess.run([str(explore), program], env=environment, capture_output=True, text=True)
                said = next((line for line in run.stdout.splitlines() if line.startswith(f"explore {program}: ")), run.stdout[-200:])
                # ThreadSanitizer changes the status when it has found a race.
                if run.returncode in (1, 66) and said.startswith("explore "):
                    found += 1
                    print(f"found: {fault.name}: {said.removeprefix('explore ')}", flush=True)
                else:
                    missed += 1
                    print(f"MISSED: {fault.name}: {said}", flush=True)
        left = later
    print(f"faults: {found} of {found + missed} found")
    sys.exit(1 if missed else 0)


main()
