# Shared by the scripts of this folder: where the package is, and how steps are announced.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
exec </dev/null

say() { printf '%s\n' "== $*"; }

# When the first script began, for those that it starts, too.
export PAGINATOR_BEGAN=${PAGINATOR_BEGAN:-$(date +%s)}

# Runs a command as the step $1, and says how many seconds it took, and everything so far.
timed() {
    local name=$1 began=$SECONDS
    shift
    say "$name"
    "$@"
    say "$name took $((SECONDS - began)) s, $(($(date +%s) - PAGINATOR_BEGAN)) s in all"
}

# Flags of every build of the package in .build; continuous integration makes warnings errors, and so builds once for all.
build_flags=${PAGINATOR_BUILD_FLAGS:-}

fail() {
    printf '%s\n' "error: $*" >&2
    exit 1
}

# Whether the page of the inspector can be tested here: what it needs is installed where it is missing. In continuous
# integration it must be.
has_browser() {
    "$root/scripts/browser" --install && return
    [ -z "${CI:-}" ] || fail "there is no Chromium or no Playwright for Python, and none can be installed"
    say "SKIPPED, there is no Chromium or no Playwright for Python, and none can be installed"
    return 1
}
