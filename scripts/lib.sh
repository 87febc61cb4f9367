# Shared by the scripts of this folder: where the package is, and how steps are announced.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
exec </dev/null

say() { printf '%s\n' "== $*"; }

# Flags of every build of the package in .build; continuous integration makes warnings errors, and so builds once for all.
build_flags=${PAGINATOR_BUILD_FLAGS:-}

fail() {
    printf '%s\n' "error: $*" >&2
    exit 1
}
