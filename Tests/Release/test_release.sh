#!/usr/bin/env bash
# That scripts/release lets a good version pass and refuses each bad one, in a temporary clone with the files as they are now.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=fixture GIT_AUTHOR_EMAIL=fixture@example.com GIT_COMMITTER_NAME=fixture GIT_COMMITTER_EMAIL=fixture@example.com

git clone -q "$PWD" "$work/clone"
git ls-files -z --cached --others --exclude-standard -- scripts docs Tests/Formats CHANGELOG.md llms.txt '*.md' .gitignore \
    | while IFS= read -r -d '' file; do
        [ ! -e "$file" ] || { mkdir -p "$work/clone/$(dirname "$file")"; cp -P "$file" "$work/clone/$file"; }
    done
cd "$work/clone"
git tag | while read -r tag; do git tag -d "$tag" >/dev/null; done

# Compares docs/api with a tag as it does, and says of the sources what a case wants: no compiler is asked.
export API_SAYS='api: 1 line in 1 products, as in docs/api' API_STATUS=0
mv scripts/api scripts/api-of-tags
cat > scripts/api <<'END'
#!/bin/sh
[ "${1:-}" != since ] || exec scripts/api-of-tags "$@"
echo "$API_SAYS"
exit "$API_STATUS"
END
chmod +x scripts/api

count=0
commit() { git add -A && git commit -q --allow-empty -m "$1"; }
passes() {
    scripts/release --dry-run "$1" > "$work/log" 2>&1 || { cat "$work/log"; echo "error: $1 should pass: $2"; exit 1; }
    count=$((count + 1))
}
refuses() {
    if scripts/release --dry-run "$1" > "$work/log" 2>&1; then echo "error: $1 should be refused: $3"; exit 1; fi
    grep -qF "$2" "$work/log" || { cat "$work/log"; echo "error: $1 should be refused with: $2"; exit 1; }
    count=$((count + 1))
}
section() { scripts/release --prepare "$1" > /dev/null; }
# Puts the lines $2 below the line of CHANGELOG.md that begins with $1.
below() {
    awk -v heading="$1" -v lines="$2" '{ print } index($0, heading) == 1 { print "\n" lines }' CHANGELOG.md > "$work/changelog"
    cp "$work/changelog" CHANGELOG.md
}
# Replaces the first of such lines by $2.
instead() {
    awk -v heading="$1" -v line="$2" '!done && index($0, heading) == 1 { print line; done = 1; next } { print }' CHANGELOG.md > "$work/changelog"
    cp "$work/changelog" CHANGELOG.md
}
formats() { [ -d "Tests/Formats/$1" ] || cp -R "Tests/Formats/1.0.0-beta.1" "Tests/Formats/$1"; }

# What scripts/release asks of every version, with an entry under the heading $2: in a release commit, nothing is left under
# Unreleased that the section of the next one could get.
next() {
    section "$1"
    below "## [$1]" "### $2\n\n- something"
    formats "$1"
    case $1 in *-*) echo "exact: \"$1\"" >> README.md ;; *) echo "from: \"$1\"" >> README.md ;; esac
}

# The first release of all has no tag to be compared with; any other one needs a tag.
commit "as it is"
refuses 9.0.0-beta.1 "there is no tag here" "a clone without tags"
scripts/release --dry-run 1.0.0-beta.1 > "$work/log" 2>&1 || true
! grep -q "there is no tag here" "$work/log" || { echo "error: the first release should need no tag"; exit 1; }
git tag 8.0.0

first=9.0.0-beta.1
next "$first" Added
commit "ready"
passes "$first" "everything is there"
grep -q '^### ' ".build/release/$first.md" || { echo "error: the notes are empty"; exit 1; }
[ "$(git tag)" = 8.0.0 ] || { echo "error: a dry run made a tag"; exit 1; }

refuses 9.0 "is no version" "two numbers"
refuses v9.0.0 "is no version" "a letter before it"
refuses 9.0.0-beta.2 "has no section ## [9.0.0-beta.2]" "no section of the changelog"
touch uncommitted.txt
refuses "$first" "uncommitted changes" "a file that is not committed"
rm uncommitted.txt
git mv SECURITY.md elsewhere.md && commit "a document less"
refuses "$first" "missing: SECURITY.md" "a document is missing"
git reset -q --hard HEAD^
git rm -rq "Tests/Formats/$first" && commit "no files"
refuses "$first" "Tests/Formats/$first has not all files" "no files of the release"
git reset -q --hard HEAD^
below '## [Unreleased]' '- something new' && commit "more"
refuses "$first" "entries under Unreleased" "entries that no release has"
git reset -q --hard HEAD^
instead "## [$first]" "## [$first]" && commit "no date"
refuses "$first" "has no date" "no date"
git reset -q --hard HEAD^
grep -vF "\"$first\"" README.md > "$work/readme" && cp "$work/readme" README.md && commit "no dependency"
refuses "$first" "README.md does not tell to depend on this version, with: exact: \"$first\"" "another version in the README"
git reset -q --hard HEAD^
API_SAYS='api: SKIPPED, this is no Linux' refuses "$first" "was not compared: api: SKIPPED" "nothing was compared"
API_SAYS='error: differs' API_STATUS=1 refuses "$first" "is not that of docs/api" "another API than that of docs/api"

scripts/release "$first" > "$work/log"
git rev-parse -q --verify "refs/tags/$first" >/dev/null || { echo "error: no tag was made"; exit 1; }
git tag -l --format='%(contents)' "$first" | grep "^### " > /dev/null || { echo "error: the tag has no notes"; exit 1; }
refuses "$first" "there is a tag $first already" "released already"

# 9.0.0 may break its beta, and says so; 9.0.1 may not even add.
next 9.0.0 Fixed
api=docs/api/PaginatorSQLiteStore.txt
line=$(grep -v '^#' "$api" | tail -n 1)
grep -vF -- "$line" "$api" > "$work/api" && cp "$work/api" "$api" && commit "a break"
refuses 9.0.0 "neither Changed nor Removed" "a break that the changelog does not tell"
instead '### Fixed' '### Removed' && commit "told"
passes 9.0.0 "a release may break its beta"
scripts/release 9.0.0 > /dev/null
refuses 9.0.0-beta.9 "does not come after 9.0.0" "a beta after its release"
next 9.0.1 Fixed
commit "a patch"
passes 9.0.1 "a patch without a change of the API"
echo "Addition: struct Addition" >> "$api" && commit "an addition"
refuses 9.0.1 "asks for a minor version" "a patch that adds"
next 9.1.0 Added
git rm -rq Tests/Formats/9.0.1 2>/dev/null || true
commit "a minor version"
passes 9.1.0 "a minor version that adds"
cp "$work/api" "$api" && grep -v ': struct' "$work/api" > "$api" && commit "a break"
refuses 9.1.0 "asks for a major version" "a minor version that breaks"
git reset -q --hard HEAD^
# A beta between them opens no hole: what follows it must still suit who has the release before.
next 9.1.0-beta.1 Added
commit "a beta"
passes 9.1.0-beta.1 "a beta that adds"
git tag 9.1.0-beta.1
cp "$work/api" "$api" && grep -v ': struct' "$work/api" > "$api" && commit "a break"
refuses 9.1.0 "the public API since 9.0.0 asks for a major version" "a minor version that breaks behind its beta"
next 10.0.0 Removed
commit "a major version"
passes 10.0.0 "a major version that breaks"
echo "release: $count cases passed"
