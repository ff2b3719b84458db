#!/bin/sh
# Installs grpcurl into .tools/bin where it is neither there nor on the PATH. Needs Go.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
version=v1.9.4 # newest that was tried with this project
if [ -x "$root/.tools/bin/grpcurl" ]; then exit 0; fi
mkdir -p "$root/.tools/bin"
if found=$(command -v grpcurl); then ln -sf "$found" "$root/.tools/bin/grpcurl"; exit 0; fi
command -v go >/dev/null || { echo "grpcurl is missing and Go, which would build it, as well; install one of them" >&2; exit 1; }
echo "building grpcurl $version (two minutes on a new machine) ..." >&2
GOBIN="$root/.tools/bin" GOFLAGS=-buildvcs=false go install "github.com/fullstorydev/grpcurl/cmd/grpcurl@$version"
