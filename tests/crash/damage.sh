#!/bin/sh
# damage.sh [-n N] [-s SEED] [-k DIR] - damaged images, decoded: each claim of the report compared with the undamaged one
# SPDX-License-Identifier: GPL-2.0-only
#
#   -n N     so many images (20)
#   -s SEED  the places of the damage (a new one each time, printed: the same again gives the same damage)
#   -k DIR   keep image and report of what was wrong there
#
# The images are regions that real kernels left (tests/fixtures), and regions of the recorder that
# tests/unit/tracemem_gen.c makes. No guest, no root. README.md says what is held against what. TAP.
set -u
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd) || exit
top=${here%/tests/crash}
# shellcheck source=../tap.sh
. "$top/tests/tap.sh" || exit

helper=$top/helper/tracemem

# unpack - the undamaged images in $work/images, beside each the text of its records and how many CPUs it has
unpack() {
	local name

	mkdir "$work/images" || return
	for name in w73.crash w73.boot2 reg612.bin reg73.bin s390x-a.img s390x-b.img; do
		gzip -dc "$top/tests/fixtures/$name.gz" >"$work/images/$name" || return
	done
	cc -O1 -D_GNU_SOURCE -I "$top/helper" -o "$work/gen" "$top/tests/unit/tracemem_gen.c" "$top/helper/rs.c" || return
	for name in "$work"/images/*; do
		"$helper" decode --format text "$name" >"$name.truth" || return
	done
	# The generator tells itself what it has made.
	"$work/gen" recorder 8 le 131072 1 "$work/images/recorder-le" "$work/images/recorder-le.truth" >/dev/null &&
		"$work/gen" recorder 4 be 131072 2 "$work/images/recorder-be" "$work/images/recorder-be.truth" >/dev/null
}

# damage FILE SEED BASE - plan and do the damage; says what it did. BASE: where the region begins in the file
damage() {
	local what at length left

	awk -v seed="$2" -v size="$(wc -c <"$1")" -v base="$3" -f "$here/damage.awk" >"$work/plan" || return
	while read -r what at length; do
		left=$(wc -c <"$1")
		[ "$what" != page ] || [ $(((at + length) * 4096)) -le "$left" ] || continue
		[ "$what" = page ] || [ $((at + length)) -le "$left" ] || continue
		case $what in
		zero) dd if=/dev/zero of="$1" bs=1 seek="$at" count="$length" conv=notrunc 2>/dev/null ;;
		page) dd if=/dev/zero of="$1" bs=4096 seek="$at" count="$length" conv=notrunc 2>/dev/null ;;
		bytes) awk -v seed="$at$2" -v n="$length" -f "$here/damage.awk" | dd of="$1" bs=1 seek="$at" conv=notrunc 2>/dev/null ;;
		cut) dd if=/dev/null of="$1" bs=1 seek="$at" 2>/dev/null ;;
		esac || return
	done <"$work/plan"
	tr '\n' ';' <"$work/plan"
}

# try N - one damaged image; the false claims of its report, nothing when all are true
try() {
	local image name base

	name=$(awk -v n="$1" -v seed="$seed" -v names="$(cd "$work/images" && printf '%s ' *.truth)" -v pick=1 -f "$here/damage.awk")
	name=${name%.truth}
	image=$work/damaged
	cp "$work/images/$name" "$image" || return
	printf 'image %s of seed %s: %s: ' "$1" "$seed" "$name" >"$work/what"
	case $name in
	*.img) base=512 ;;
	*) base=0 ;;
	esac
	damage "$image" "$seed$1" "$base" >>"$work/what" || return
	FIELDTRACE_PROC=/none FIELDTRACE_HELPER=$helper "$top/bin/crashtrace" dump -n 1 -S "$work/none" "$image" \
		>"$work/report" 2>"$work/err"
	rc=$?
	"$helper" decode --format text "$image" >"$work/found" 2>/dev/null ||
		"$helper" decode --salvage --format text "$image" 2>/dev/null | sed 's/ salvaged$//' >"$work/found"
	awk -v rc="$rc" -v bytes="$(tr -d '\000' <"$image" | wc -c)" -v truth="$work/images/$name.truth" -v found="$work/found" -f "$here/damage_judge.awk" "$work/report"
}

main() {
	local opt n=20 i=0 keep='' false_claims bad=0

	seed=''
	while getopts n:s:k: opt; do
		case $opt in
		n) n=$OPTARG ;;
		s) seed=$OPTARG ;;
		k) keep=$OPTARG ;;
		*) sed -n 2p "$0" >&2 && exit 2 ;;
		esac
	done
	[ "$seed" ] || seed=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
	printf '# seed %s\n' "$seed"
	[ -x "$helper" ] || make -s -C "$top/helper" helper >&2 || exit
	work=$(mktemp -d "${TMPDIR:-/tmp}/ft-damage.XXXXXX") || exit
	trap 'rm -rf "$work"' EXIT
	unpack || exit
	: >"$work/table"
	while [ "$i" -lt "$n" ]; do
		i=$((i + 1))
		false_claims=$(try "$i") || false_claims="try ended with $?"
		echo "$rc" >>"$work/table"
		if [ "$false_claims" ]; then
			bad=$((bad + 1))
			tap_note "$(cat "$work/what")"
			tap_note "$false_claims"
			if [ "$keep" ]; then
				cp "$work/damaged" "$keep/$i.img"
				cp "$work/report" "$keep/$i.report"
			fi
		fi
	done
	tap_is "$n damaged images, seed $seed: reports with a false claim" "$bad" 0
	tap_note "$(grep -c '^0$' "$work/table") of $n could be read in part or whole"
	tap_ok 'most of them can be read' test "$(grep -c '^0$' "$work/table")" -gt $((n / 2))
	tap_done
}

rc=0
main "$@"
