#!/usr/bin/env bash
# That scripts/release lets a good version pass and refuses each bad one, in a temporary clone with the files as they are now.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PAGINATOR_RELEASE_API=0 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=fixture GIT_AUTHOR_EMAIL=fixture@example.com GIT_COMMITTER_NAME=fixture GIT_COMMITTER_EMAIL=fixture@example.com

git clone -q "$PWD" "$work/clone"
git ls-files -z --cached --others --exclude-standard -- scripts docs Tests/Formats CHANGELOG.md llms.txt '*.md' .gitignore \
    | while IFS= read -r -d '' file; do
        [ ! -e "$file" ] || { mkdir -p "$work/clone/$(dirname "$file")"; cp -P "$file" "$work/clone/$file"; }
    done
cd "$work/clone"
git tag | xargs -r git tag -d >/dev/null

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
formats() { [ -d "Tests/Formats/$1" ] || cp -R "$(ls -d Tests/Formats/* | head -n 1)" "Tests/Formats/$1"; }

# A first version, whose section is what is under Unreleased or is there already.
first=9.0.0-beta.1
section "$first"
formats "$first"
commit "ready"
passes "$first" "everything is there"
grep -q '^### ' ".build/release/$first.md" || { echo "error: the notes are empty"; exit 1; }
[ -z "$(git tag)" ] || { echo "error: a dry run made a tag"; exit 1; }

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
sed -i.before "s/^## \[Unreleased\]$/## [Unreleased]\n\n- something new/" CHANGELOG.md && rm CHANGELOG.md.before && commit "more"
refuses "$first" "entries under Unreleased" "entries that no release has"
git reset -q --hard HEAD^
sed -i.before "s/^## \[$first\] - .*/## [$first]/" CHANGELOG.md && rm CHANGELOG.md.before && commit "no date"
refuses "$first" "has no date" "no date"
git reset -q --hard HEAD^

scripts/release "$first" > "$work/log"
[ "$(git tag)" = "$first" ] || { echo "error: no tag was made"; exit 1; }
git tag -l --format='%(contents)' "$first" | grep -q '^### ' || { echo "error: the tag has no notes"; exit 1; }
refuses "$first" "there is a tag $first already" "released already"

# 9.0.0 may break its beta, and says so; 9.0.1 may not even add.
next() {
    section "$1"
    sed -i.before "s/^## \[$1\] - .*/&\n\n### $2\n\n- something/" CHANGELOG.md && rm CHANGELOG.md.before
    formats "$1"
}
next 9.0.0 Fixed
api=docs/api/PaginatorSQLiteStore.txt
line=$(grep -v '^#' "$api" | tail -n 1)
grep -vF -- "$line" "$api" > "$work/api" && cp "$work/api" "$api" && commit "a break"
refuses 9.0.0 "neither Changed nor Removed" "a break that the changelog does not tell"
sed -i.before 's/^### Fixed/### Removed/' CHANGELOG.md && rm CHANGELOG.md.before && commit "told"
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
next 10.0.0 Removed
commit "a major version"
passes 10.0.0 "a major version that breaks"
echo "release: $count cases passed"
