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
	{ "$@" || echo "$?" >"$work/$name.rc"; } | tee "$work/$name.tap"
	echo "== $name: $(($(date +%s) - started)) s" >&2
	# A tier that failed without a failed line in its TAP (it could not start, say) must not pass unseen.
	if [ -e "$work/$name.rc" ] && ! grep -q '^not ok ' "$work/$name.tap"; then
		printf 'not ok - %s ended with status %s\n' "$name" "$(cat "$work/$name.rc")" | tee -a "$work/$name.tap"
	fi
}

fuzz_a_minute() {
	tap_ok "a minute of fuzzing tracemem's decoder finds nothing" sh "$top/tests/fuzz/run.sh" 60
	tap_done
}

run() { # TIER
	case $1 in
	lint) tier lint "$top/tests/lint/lint.sh" ;;
	unit) tier unit "$top/tests/unit/run.sh" ${topic:+-t "$topic"} ;;
	helper) tier helper sh "$top/tests/unit/tracemem.sh" ;;
	selftest) tier selftest "$top/tests/vm/selftest.sh" ;;
	vm) tier vm "$top/tests/vm/run.sh" ${all:+"$all"} ${topic:+-t "$topic"} ;;
	judge) tier judge "$top/tests/crash/selftest.sh" ;;
	damage) tier damage "$top/tests/crash/damage.sh" -s 7 ;;
	crash) tier crash "$top/tests/crash/run.sh" ;;
	fuzz) tier fuzz fuzz_a_minute ;;
	esac
}

beside() { # "TIER..." "TIER...": two rows of tiers at a time, each of which keeps one processor busy; their output one after the other
	local row

	for row; do
		# Sessions of their own, so that Ctrl-C here can end all that they started.
		# shellcheck disable=SC2086 # names of tiers
		setsid "$top/tests/run.sh" -w "$work" $row >"$work/row.$row" 2>&1 </dev/null &
		rows="$rows $!"
	done
	wait
	rows=''
	for row; do cat "$work/row.$row"; done
}

end() { # end the rows that are running, remove what is ours
	local row

	for row in $rows; do kill -TERM -- "-$row" 2>/dev/null; done
	[ "$shared" ] || rm -rf "$work"
}

rows='' all='' topic='' shared=''
while getopts At:w: opt; do
	case $opt in
	w) shared=$OPTARG ;; # for beside: the TAP goes there, and the total is made by the caller
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
work=${shared:-$(mktemp -d)} || exit
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
for tier; do
	case $tier in
	lint | unit | helper | selftest | vm | judge | damage | crash | fuzz) ;;
	*)
		echo "run.sh: no tier '$tier'" >&2
		exit 2
		;;
	esac
done
# Many tiers use it, and two that build it at a time would be in each other's way.
[ "$shared" ] || make -s -C "$top/helper" helper >&2 || exit
if [ $# -gt 0 ]; then
	tiers=$*
	for tier; do run "$tier"; done
elif [ "$topic" ]; then
	tiers='lint unit vm'
	for tier in $tiers; do run "$tier"; done
else
	tiers='lint helper selftest judge damage crash fuzz unit vm'
	beside 'lint helper selftest' 'judge damage crash fuzz'
	run unit
	run vm
fi
[ ! "$shared" ] || exit 0
# shellcheck disable=SC2046 # our own names
tap_total $(for tier in $tiers; do echo "$work/$tier.tap"; done)
