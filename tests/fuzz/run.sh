#!/bin/sh
# run.sh [SECONDS] - fuzz tracemem's decoder under ASan and UBSan, seeded with the fixtures; default 600 seconds
# SPDX-License-Identifier: GPL-2.0-only
#
# Uses libFuzzer where clang has it (packages clang and libclang-rt-dev), else gcc and a mutation loop of our own.
# Exit 0: nothing found. 1: a finding; the input that shows it is kept in the current folder. FUZZ_DIR keeps the corpus between runs.

set -eu

here=$(cd "${0%/*}" && pwd)
top=$here/../..
start=$PWD
seconds=${1:-600}
case $seconds in
'' | *[!0-9]*)
	echo "usage: ${0##*/} [SECONDS]" >&2
	exit 2
	;;
esac

# Size of a region: the smallest with some sub-buffers for three CPUs.
bytes=45056

work=$(mktemp -d "${TMPDIR:-/tmp}/fuzz.XXXXXX")
dir=${FUZZ_DIR:-$work}
trap 'rm -rf "$work"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$dir/corpus"

flags='-std=c99 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -DTRACEMEM_MALLOC
-D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -D_FILE_OFFSET_BITS=64'

# compile CC OUTPUT FLAG... - the harness and all of tracemem but its main
compile() {
	local cc output source
	cc=$1
	output=$2
	shift 2
	for source in "$top"/helper/*.c; do
		case $source in
		*/main.c) ;;
		*) set -- "$@" "$source" ;;
		esac
	done
	# shellcheck disable=SC2086 # a list of flags
	"$cc" $flags -I "$top/helper" -o "$output" "$here/fuzz_tracemem.c" "$@"
}

# seed NAME CHOICES FILE - a seed: bytes 0 to 5 of the choices as octal numbers, ten zeros, then the file's beginning
seed() {
	{
		# shellcheck disable=SC2046,SC2059,SC2086 # octal escapes are the point, and the choices are words
		printf "$(printf '\\%s' $2 0 0 0 0 0 0 0 0 0 0)"
		head -c $bytes "$3"
	} >"$dir/corpus/$1"
}

# seeds - every layout, word size and order, small: an input should take about a millisecond; the fixtures' beginnings;
# symbol tables. Each seed prints in another format.
seeds() {
	local layout word order n format
	cc -O1 -D_GNU_SOURCE -I "$top/helper" -o "$work/gen" "$top/tests/unit/tracemem_gen.c" "$top/helper/rs.c"
	set -- 1 4 10 20 3 0
	for layout in ring-a ring-b ring-b615 recorder pstore pstore-ecc pstore-old pstore-boots plain; do
		for word in 4 8; do
			for order in le be; do
				n=$("$work/gen" "$layout" "$word" "$order" $bytes 1 "$work/img" "$work/truth")
				format=$1
				shift
				set -- "$@" "$format"
				case $layout in
				plain) n="1 $(printf '%o %o' $((n % 256)) $((n / 256)))" ;;
				*) n='0 0 0' ;;
				esac
				seed "$layout-$word-$order" "$format 0 0 $n" "$work/img"
			done
		done
	done
	for n in w73.crash ro.bin reg612.bin; do
		gzip -dc "$top/tests/fixtures/$n.gz" >"$work/img"
		seed "$n" '1 0 0 0 0 0' "$work/img"
	done
	# no header: what salvages is asked
	gzip -dc "$top/tests/fixtures/w73.crash.gz" >"$work/img"
	dd if=/dev/zero of="$work/img" bs=4096 count=1 conv=notrunc 2>/dev/null
	seed headless-ring '1 100 0 0 0 0' "$work/img"
	dd if=/dev/zero of="$work/img" bs=4096 count=3 conv=notrunc 2>/dev/null
	seed headless-pages '1 100 0 0 0 0' "$work/img"
	"$work/gen" recorder 8 le $bytes 1 "$work/img" "$work/truth"
	dd if=/dev/zero of="$work/img" bs=512 count=1 conv=notrunc 2>/dev/null
	seed headless-recorder '1 100 0 0 0 0' "$work/img"
	seed kallsyms '237 0 0 0 0 0' "$top/tests/fixtures/w73.kallsyms"
	printf 'ext4 933888 1 - Live 0xffffffffc0400000\n12 kworker/0:1\nffffffffc0400010 t ext4_x\t[ext4]\n' >"$work/img"
	printf 'one 0xffffffffc0400000 933888 - 6.9\ntwo 0xffffffffc0400000 933888 6.95 -\n' >"$work/loads"
	seed loads '237 3 10 0 0 0' "$work/loads"
	seed tables '237 3 0 0 0 0' "$work/img"
}

seeds
cd "$dir"
if command -v clang >/dev/null 2>&1 && compile clang "$work/fuzz" -fsanitize=fuzzer 2>"$work/err"; then
	echo "libFuzzer, $seconds seconds"
	if ! "$work/fuzz" -max_total_time="$seconds" -max_len=45100 -timeout=25 -rss_limit_mb=1500 -print_final_stats=1 \
		-artifact_prefix="$dir/" corpus >"$work/log" 2>&1; then
		tail -n 60 "$work/log"
		for found in crash-* timeout-* oom-* leak-*; do
			[ -e "$found" ] || continue
			cp "$found" "$start/fuzz-$found"
			echo "kept: fuzz-$found" >&2
		done
		exit 1
	fi
	grep '^#.*DONE' "$work/log" || :
else
	echo "no libFuzzer here (clang, libclang-rt-dev): own mutation loop, $seconds seconds"
	compile gcc "$work/fuzz" -DFUZZ_MAIN
	cd "$work"
	if ! ./fuzz "$seconds" "$dir"/corpus/*; then
		cp last-input "$start/fuzz-finding"
		echo "kept: fuzz-finding" >&2
		exit 1
	fi
fi
echo "no finding"
