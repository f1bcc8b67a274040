#!/usr/bin/env bash
# Builds the page's grader: bash wasm/grader/build.sh OUT.wasm
#
# rapid draws pictures of its bit streams for whoever debugs rapid itself (vis.go), which needs html/template and image/png: a
# third of the module's bytes, none of which the page can reach. So the page is built against a copy of rapid in which that
# one file does nothing. Natively, and in every test, rapid is as it comes.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$1
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

go mod download pgregory.net/rapid
cp -r "$(go list -m -f '{{.Dir}}' pgregory.net/rapid)" "$work/rapid"
chmod -R u+w "$work/rapid"
cat > "$work/rapid/vis.go" <<'GO'
package rapid

import "io"

func visWriteHTML(io.Writer, string, []recordedBits) error { return nil }
GO
cp go.mod "$work/go.mod"
cp go.sum "$work/go.sum"
(cd "$work" && go mod edit -replace "pgregory.net/rapid=$work/rapid")
mkdir -p "$(dirname "$out")"
GOOS=js GOARCH=wasm go build -modfile="$work/go.mod" -trimpath -ldflags="-s -w" -o "$out" ./wasm/grader
