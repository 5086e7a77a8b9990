#!/bin/sh
# Installs the pinned npm packages of the test model server: real llama.cpp, about 85 MB.
#
#   install.sh          into this folder
#   ASSAY_LLAMA_DIR=DIR install.sh    into DIR, for the tests to find under the same variable
#
# Needs node 20 or newer and npm. No script of a package is run and nothing is compiled. Quick when done before.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
dir=${ASSAY_LLAMA_DIR:-$here}

fail() {
	echo "install.sh: $1" >&2
	exit 1
}

command -v node >/dev/null || fail "node not found: install Node.js 20 or newer"
command -v npm >/dev/null || fail "npm not found: install it with Node.js"
platform=$(node -p 'process.platform + "-" + process.arch')
case $platform in
linux-x64 | linux-arm64) binaries=$platform ;;
darwin-arm64) binaries=mac-arm64-metal ;;
darwin-x64) binaries=mac-x64 ;;
*) fail "no llama.cpp binaries are pinned for $platform" ;;
esac

mkdir -p "$dir"
cd "$dir"
if [ "$(pwd -P)" != "$(cd "$here" && pwd -P)" ]; then
	cp "$here/package.json" "$here/package-lock.json" .
fi

# Two installs at once would remove each other's files.
if command -v flock >/dev/null; then
	exec 9<.
	flock 9
fi

want="$(cksum <package-lock.json) $binaries"
stamp=node_modules/.installed-for
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ]; then
	echo "install.sh: already installed in $dir/node_modules"
	exit 0
fi

rm -f "$stamp"
if [ "$binaries" = linux-x64 ]; then
	npm ci --omit=optional --ignore-scripts --no-audit --no-fund
else
	# The lock file holds the binaries for CI's platform; take another platform's in the same version.
	version=$(node -p 'require("./package.json").dependencies["node-llama-cpp"]')
	npm install --no-save --no-package-lock --force --omit=optional --ignore-scripts --no-audit --no-fund \
		"node-llama-cpp@$version" "@node-llama-cpp/$binaries@$version"
fi
echo "$want" >"$stamp"
echo "install.sh: installed in $dir/node_modules"
