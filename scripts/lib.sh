# Shared by the scripts of this folder: where the package is, and how steps are announced.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
exec </dev/null

say() { printf '%s\n' "== $*"; }

fail() {
    printf '%s\n' "error: $*" >&2
    exit 1
}
