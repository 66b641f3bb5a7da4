#!/bin/sh
# kit.sh [ARCH...] - build the kits (all of them), and run what is in them; prints TAP
# SPDX-License-Identifier: GPL-2.0-only
#
# The tracemem of each kit decodes real regions, under qemu-user where it is another machine's, and has to print what this
# machine's own prints. The commands are started where the kit was unpacked.
set -u

top=$(cd "$(dirname "$0")/.." && pwd) || exit
# shellcheck source=tap.sh
. "$top/tests/tap.sh" || exit

work=$(mktemp -d "${TMPDIR:-/tmp}/kit.XXXXXX") || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

runner() { # ARCH: $run, what runs a program of it here; empty for this machine's own
	case $1 in
	amd64) run=qemu-x86_64-static ;;
	arm64) run=qemu-aarch64-static ;;
	armhf) run=qemu-arm-static ;;
	ppc) run=qemu-ppc-static ;;
	mips) run=qemu-mips-static ;;
	esac
	if [ "$1" = amd64 ] && [ "$(uname -m)" = x86_64 ]; then run=''; fi
}

decoded() { # TRACEMEM...: all that it makes of the regions
	local region format

	for region in w73.crash w73.bad reg612.bin ro.bin; do
		for format in text json; do
			"$@" decode --format "$format" "$work/$region"
			echo "status $?"
		done
	done 2>&1
	"$@" decode --symbols "$work/w73.kallsyms" --last 20 "$work/w73.crash" 2>&1
	"$@" info "$work/reg73.bin" 2>&1
}

check() { # ARCH
	local dir="$work/$1/fieldtrace"

	tap_ok "$1: make kit" make -s -C "$top" kit ARCH="$1" OUT="$work"
	[ -f "$work/fieldtrace-$1.tar.gz" ] || return
	mkdir "$work/$1"
	tap_ok "$1: busybox unpacks it" busybox tar -xzf "$work/fieldtrace-$1.tar.gz" -C "$work/$1"
	tap_ok "$1: commands, library, tracemem and examples" test -x "$dir/bin/tpoint" -a -r "$dir/lib/fieldtrace.sh" \
		-a -x "$dir/lib/tracemem" -a -d "$dir/examples" -a -s "$dir/doc/crashtrace.8.txt"
	tap_like "$1: funccount -h" "$(busybox ash "$dir/bin/funccount" -h)" '^usage: funccount '
	runner "$1"
	# shellcheck disable=SC2086 # nothing, or one word
	decoded $run "$dir/lib/tracemem" >"$work/got"
	tap_is "$1: tracemem decodes as this machine's" "$(cksum <"$work/got")" "$(cksum <"$work/want")"
	tap_ok "$1: commands, library and tracemem: at most 448 KiB" test "$(cat "$dir"/bin/* "$dir"/lib/* | wc -c)" -le 458752
}

[ $# -gt 0 ] || set -- amd64 arm64 armhf ppc mips
for file in "$top"/tests/fixtures/*.gz; do
	name=${file##*/}
	gzip -dc "$file" >"$work/${name%.gz}"
done
cp "$top/tests/fixtures/w73.kallsyms" "$work/"
mkdir "$work/native"
make -s -C "$top/helper" helper O="$work/native" || exit
decoded "$work/native/tracemem" >"$work/want"
tap_like 'this machine decodes' "$(cat "$work/want")" 'hello_marker'
for arch; do check "$arch"; done
tap_done
