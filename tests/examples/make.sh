#!/bin/sh
# make.sh [-k KEY] [-l DIR] [-o DIR] [NAME...] - make the worked sessions of examples/ again, in a guest
# SPDX-License-Identifier: GPL-2.0-only
#
#   -k KEY   the kernel, of tests/vm/kernels (the newest)       -l DIR   logs there (a new folder in $TMPDIR)
#   -o DIR   write the sessions there (examples/ of this checkout)
#
# NAME is a script NAME.sh beside this one, without NAME all of them; each becomes NAME.txt. One that says "# resets" is run
# in a guest of its own, whose memory has a region that survives, and whose script runs again after each boot.
# Exit status 0 when all were made; a session in which a step failed is not written.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit
top=${here%/tests/examples}
PATH=$PATH:/usr/sbin:/sbin

# usage - the head of this file
usage() {
	sed -n '2,10{/SPDX/d;s/^# \{0,1\}//p;}' "$0"
}

note() {
	printf 'examples: %s\n' "$1" >&2
}

# resets NAME - does its guest reset?
resets() {
	grep -q '^# resets$' "$here/$1.sh"
}

# in_one_guest NAME... - run these one after the other in one guest
in_one_guest() {
	note "$key: $*"
	"$top/tests/vm/boot.sh" -l "$logs" -t 3600 -S 900 "$key" "$here/all.sh" "$@" >"$logs/sessions"
}

# in_its_own NAME - run this one in a guest with a disk and a region
in_its_own() {
	note "$key: $1"
	rm -rf "$logs/disk"
	mkdir -p "$logs/disk" "$logs/$1"
	mke2fs -q -t ext3 -d "$logs/disk" "$logs/$1/disk.img" 64M >/dev/null || return
	"$top/tests/vm/boot.sh" -r -l "$logs/$1" -t 1800 -S 900 \
		-a "memmap=1M\$0x18000000 trace_instance=crash^traceoff@0x18000000:1M" \
		-q -drive -q "file=$logs/$1/disk.img,format=raw,if=virtio" "$key" "$here/all.sh" "$1" >>"$logs/sessions"
}

# split - the sessions of the guests, each into its file, if it came to its end
split() {
	local name
	awk -v dir="$logs" '
	/^=== begin / { file = dir "/" $3 ".txt"; next }
	/^=== end / { print $3 >(dir "/whole"); close(file); file = ""; next }
	file != "" { sub(/\r$/, ""); print >file }' "$logs/sessions"
	for name; do
		if ! grep -qx "$name" "$logs/whole" 2>/dev/null; then
			note "$name: a step failed; what there is of it is in $logs/$name.txt"
			rc=1
			continue
		fi
		# No blank lines at the beginning.
		sed '/./,$!d' "$logs/$name.txt" >"$out/$name.txt.new" && mv "$out/$name.txt.new" "$out/$name.txt" || rc=1
	done
}

main() {
	local opt key logs out plain name
	key=$(awk '!/^#/ && NF { key = $1 } END { print key }' "$top/tests/vm/kernels") logs='' out=$top/examples rc=0
	while getopts hk:l:o: opt; do
		case $opt in
		k) key=$OPTARG ;;
		l) logs=$OPTARG ;;
		o) out=$OPTARG ;;
		h) usage && exit ;;
		*) usage >&2 && exit 2 ;;
		esac
	done
	shift $((OPTIND - 1))
	if [ $# = 0 ]; then
		for name in "$here"/*.sh; do
			name=${name##*/}
			case $name in
			make.sh | lib.sh | all.sh | reset.sh) ;;
			*) set -- "$@" "${name%.sh}" ;;
			esac
		done
	fi
	for name; do [ -e "$here/$name.sh" ] || { note "no $name.sh here" && exit 2; }; done
	"$top/tests/deps.sh" && make -s -C "$top/helper" helper >&2 || exit
	[ "$logs" ] || logs=$(mktemp -d "${TMPDIR:-/tmp}/ft-examples.XXXXXX") || exit
	mkdir -p "$logs" && : >"$logs/sessions" && rm -f "$logs/whole" || exit
	plain=
	for name; do resets "$name" || plain="$plain $name"; done
	# shellcheck disable=SC2086 # names
	[ ! "$plain" ] || in_one_guest $plain
	for name; do ! resets "$name" || in_its_own "$name"; done
	split "$@"
	exit "$rc"
}

main "$@"
