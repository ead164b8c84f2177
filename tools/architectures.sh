#!/usr/bin/env bash
# Compares verdicts between architectures: amd64 without and with fused multiply-add, and arm64, which emulators carry
# out elsewhere (Debian's qemu-user). Arguments are patterns of claims; without, some that take little time.
set -euo pipefail
cd "$(dirname "$0")/.."
claims=("$@")
[ $# -gt 0 ] || claims=('descent-lemma*' 'first-*' 'noreplace-*')
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
compare() { # name, command...
  local name=$1
  shift
  "$@" run -out "$dir/$name" "${claims[@]}" > "$dir/$name.txt" 2>&1 || { tail -5 "$dir/$name.txt"; exit 1; }
  if [ "$name" != v1 ]; then
    "$dir/verify-v1" diff -factor 1e6 "$dir/v1" "$dir/$name" | grep -v '^note:\|^tightness' || true
    "$dir/verify-v1" diff -factor 1e6 "$dir/v1" "$dir/$name" > /dev/null || { echo "$name: verdicts differ"; exit 1; }
  fi
  echo "$name: $(grep -E '^Every verdict' "$dir/$name.txt")"
}
GOARCH=amd64 GOAMD64=v1 go build -o "$dir/verify-v1" ./cmd/verify
compare v1 "$dir/verify-v1"
GOARCH=amd64 GOAMD64=v3 go build -o "$dir/verify-v3" ./cmd/verify
if grep -qw fma /proc/cpuinfo; then compare v3 "$dir/verify-v3"; else echo "v3: no such processor here"; fi
GOARCH=arm64 CGO_ENABLED=0 go build -o "$dir/verify-arm64" ./cmd/verify
if [ "$(uname -m)" = aarch64 ]; then
  compare arm64 "$dir/verify-arm64"
elif command -v qemu-aarch64 > /dev/null; then
  compare arm64 qemu-aarch64 "$dir/verify-arm64"
else
  echo "arm64: no qemu-aarch64 here: left out"
fi
