#!/bin/sh
# run.sh [-A] [-t TOPIC] [TIER...] - `make test`: lint, unit, helper, vm and crash tests, a minute of fuzzing, one total at the end
# SPDX-License-Identifier: GPL-2.0-only
#
# -A: the full cross product of cases and guests (tests/vm/README.md). -t: lint, and what concerns one command.
# TAP as it comes on stdout, progress on stderr. The last line is "N passed, N failed, N skipped" over all tiers; exit 0
# only when nothing failed and every tier ran something.
set -u

top=$(cd "$(dirname "$0")/.." && pwd) || exit
# shellcheck source=tap.sh
. "$top/tests/tap.sh" || exit

tier() { # NAME COMMAND...: run it, show its output, keep its TAP
	local name started

	name=$1
	shift
	started=$(date +%s)
	echo "== $name" >&2
	rc=0
	{ "$@" || echo "$?" >"$work/$name.rc"; } | tee "$work/$name.tap"
	echo "== $name: $(($(date +%s) - started)) s" >&2
	files="$files $work/$name.tap"
	# A tier that failed without a failed line in its TAP (it could not start, say) must not pass unseen.
	if [ -e "$work/$name.rc" ] && ! grep -q '^not ok ' "$work/$name.tap"; then
		printf 'not ok - %s ended with status %s\n' "$name" "$(cat "$work/$name.rc")" | tee -a "$work/$name.tap"
	fi
}

fuzz_a_minute() {
	tap_ok "a minute of fuzzing tracemem's decoder finds nothing" sh "$top/tests/fuzz/run.sh" 60
	tap_done
}

files=
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
all='' topic=''
while getopts At: opt; do
	case $opt in
	A) all=-A ;;
	t) topic=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
if [ "$topic" ] && [ ! -e "$top/bin/$topic" ]; then
	echo "run.sh: no command '$topic' in bin/" >&2
	exit 2
fi
[ $# -gt 0 ] || [ ! "$topic" ] || set -- lint unit vm
[ $# -gt 0 ] || set -- lint unit helper selftest vm crash fuzz
for name; do
	case $name in
	lint) tier lint "$top/tests/lint/lint.sh" ;;
	unit) tier unit "$top/tests/unit/run.sh" ${topic:+-t "$topic"} ;;
	helper) tier helper sh "$top/tests/unit/tracemem.sh" ;;
	selftest) tier selftest "$top/tests/vm/selftest.sh" ;;
	vm)
		# The guests get it along with the commands.
		make -s -C "$top/helper" helper >&2 || exit
		tier vm "$top/tests/vm/run.sh" ${all:+"$all"} ${topic:+-t "$topic"}
		;;
	crash)
		tier judge "$top/tests/crash/selftest.sh"
		tier crash "$top/tests/crash/run.sh"
		;;
	fuzz) tier fuzz fuzz_a_minute ;;
	*)
		echo "run.sh: no tier '$name'" >&2
		exit 2
		;;
	esac
done
# shellcheck disable=SC2086 # our own names
tap_total $files
