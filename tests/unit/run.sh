#!/bin/sh
# run.sh [-bqv] [-c FILE] [-t TOPIC] [-s SHELL] [-a AWK] [-j N] [-l DIR] - the unit tests, under every shell and awk that they ask for
# SPDX-License-Identifier: GPL-2.0-only
#
#   -c  only this file (NAME or NAME_test.sh)      -s  only this shell (ash dash bash bash-posix mksh yash)
#   -j  so many at a time (4)                      -a  only this awk (busybox mawk gawk original-awk)
#   -b  the commands as bundles (make bundle)      -t  the files that name this command, one pass each
#   -q  failures and totals only                   -l  keep the TAP of each file and pass in DIR
#
# A test is FILE_test.sh here, with a line "# runs: WHAT" among its first ten:
#   shells  each shell (awk in turn)     awks   each awk (in dash)
#   whole   the whole commands: each shell and each awk, in the combinations of $whole
#   some    whole commands again, where half of those combinations will do
#   once    one pass
# TAP on stdout, then "N passed, N failed, N skipped". Exit 0 only when nothing failed and something was run. A shell or awk
# that is not installed is a failure: the tests are about all of them. No kernel is needed, and no root.
set -u

UNIT=$(cd "$(dirname "$0")" && pwd) || exit
TOP=${UNIT%/tests/unit}
# shellcheck source=../tap.sh
. "$TOP/tests/tap.sh" || exit
# shellcheck source=fake.sh
. "$UNIT/fake.sh" || exit

shells='ash dash bash bash-posix mksh yash'
awks='busybox mawk gawk original-awk'
whole='ash+busybox dash+mawk bash+gawk bash-posix+original-awk mksh+mawk yash+gawk'
some='ash+busybox bash-posix+original-awk mksh+gawk'
limit=1800 # seconds that a file may take in one pass: some twenty times what it takes, for a busy machine

usage() { # the head of this file
	sed -n '2,18{/SPDX/d;s/^# \{0,1\}//p;}' "$0"
}

shell_words() { # NAME: the command that starts this shell, by full path: the PATH under test has no shells
	case $1 in
	ash) echo "$(command -v busybox) ash" ;;
	bash-posix) echo "$(command -v bash) --posix" ;;
	*) command -v "$1" ;;
	esac
}

make_tools() { # $work/path: the programs of lib/applets, by BusyBox; $work/awk/NAME: each awk
	local name

	mkdir -p "$work/path" "$work/awk/busybox" || return
	grep -v '^#' "$TOP/lib/applets" | while read -r name; do
		ln -s "$(command -v busybox)" "$work/path/$name" || return
	done
	ln -s "$(command -v busybox)" "$work/awk/busybox/awk"
	for name in mawk gawk original-awk; do
		mkdir "$work/awk/$name" && ln -s "$(command -v "$name")" "$work/awk/$name/awk" || return
	done
}

passes_of() { # FILE: the passes it asks for, SHELL+AWK a line
	local shell awk n=0

	case $(sed -n '1,10s/^# runs: //p' "$1") in
	shells)
		for shell in $shells; do
			n=$((n % 4 + 1))
			awk=$(echo "$awks" | cut -d ' ' -f "$n")
			echo "$shell+$awk"
		done
		;;
	awks) for awk in $awks; do echo "dash+$awk"; done ;;
	whole) printf '%s\n' "$whole" | tr ' ' '\n' ;;
	some) printf '%s\n' "$some" | tr ' ' '\n' ;;
	*) echo dash+mawk ;;
	esac
}

plan() { # the passes to run, FILE SHELL AWK a line
	local file pass

	for file in "$UNIT"/*_test.sh; do
		if [ -n "$only" ] && [ "${file##*/}" != "$only" ] && [ "${file##*/}" != "${only}_test.sh" ]; then continue; fi
		[ -z "$topic" ] || grep -qw -e "$topic" "$file" || continue
		for pass in $(passes_of "$file"); do
			[ -z "$topic" ] || [ "$pass" = "$(passes_of "$file" | head -n 1)" ] || continue
			if [ -n "$only_shell" ] && [ "${pass%%+*}" != "$only_shell" ]; then continue; fi
			if [ -n "$only_awk" ] && [ "${pass#*+}" != "$only_awk" ]; then continue; fi
			echo "${file##*/} ${pass%%+*} ${pass#*+}"
		done
	done
}

run_pass() { # FILE SHELL AWK: one file in one pass; its TAP in $logs
	local name="${1%_test.sh}.$2+$3" rc=0

	mkdir "$work/tmp/$name" || return
	(
		T=$work/tmp/$name
		UNIT_SHELL=$(shell_words "$2")
		UNIT_AWK=$work/awk/$3/awk
		UNIT_PATH=$work/path
		export TOP UNIT T UNIT_SHELL UNIT_AWK UNIT_PATH
		# shellcheck disable=SC2086 # a shell and its option
		exec timeout -k 10 "$limit" $UNIT_SHELL "$UNIT/$1"
	) >"$logs/$name.tap" 2>"$logs/$name.err" </dev/null || rc=$?
	case $rc in
	0 | 1) ;;
	*) printf 'not ok - %s ended with status %s\n' "$name" "$rc" >>"$logs/$name.tap" ;;
	esac
	if ! grep -q '^1[.][.]' "$logs/$name.tap"; then
		# It may have said "exit" itself.
		printf 'not ok - %s ended without tap_done\n1..1\n' "$name" >>"$logs/$name.tap"
	fi
	if grep -q '^not ok' "$logs/$name.tap"; then
		printf '# stderr:\n' >>"$logs/$name.tap"
		sed 's/^/# /' "$logs/$name.err" >>"$logs/$name.tap"
	fi
	rm -rf "${work:?}/tmp/$name"
	: >"$work/done/$name"
}

work_off() { # run the passes of the plan that no other worker has taken
	local file shell awk

	while read -r file shell awk; do
		if mkdir "$work/taken/$file.$shell+$awk" 2>/dev/null; then run_pass "$file" "$shell" "$awk"; fi
	done <"$work/plan"
}

report() { # the passes as they are done, as one TAP stream
	local file shell awk name n=0

	while read -r file shell awk; do
		name=${file%_test.sh}.$shell+$awk
		until [ -e "$work/done/$name" ]; do sleep 0.1; done
		printf '# %s: %s\n' "$name" "$(tap_total "$logs/$name.tap" | tail -n 1)"
		awk -v n="$n" -v name="$name" -v quiet="$quiet" '
		/^(not )?ok/ {
			n++
			bad = /^not/
			text = $0
			sub(/^(not )?ok *[0-9]* *-* */, "", text)
			if (bad || !quiet) print (bad ? "not ok " : "ok ") n " - " name ": " text
			next
		}
		/^# / && bad
		END { print "1.." n >"/dev/stderr" }' "$logs/$name.tap" 2>"$work/count"
		n=$(sed 's/^1[.][.]//' "$work/count")
	done <"$work/plan"
	printf '1..%s\n' "$n"
}

main() {
	local opt i=0 jobs=4 missing=''

	only='' topic='' only_shell='' only_awk='' quiet='' logs='' bundles=''
	while getopts hbqvc:t:s:a:j:l: opt; do
		case $opt in
		c) only=$OPTARG ;;
		t) topic=$OPTARG ;;
		s) only_shell=$OPTARG ;;
		a) only_awk=$OPTARG ;;
		j) jobs=$OPTARG ;;
		b) bundles=1 ;;
		q) quiet=1 ;;
		v) quiet='' ;;
		l) logs=$OPTARG ;;
		h) usage && exit ;;
		*) usage >&2 && exit 2 ;;
		esac
	done
	for opt in busybox dash bash mksh yash mawk gawk original-awk timeout; do
		command -v "$opt" >/dev/null || missing="$missing $opt"
	done
	if [ -n "$missing" ]; then
		echo "unit: not installed:$missing (tests/deps.sh says how)" >&2
		exit 1
	fi
	work=$(mktemp -d "${TMPDIR:-/tmp}/ft-unit.XXXXXX") || exit
	trap 'kill $workers 2>/dev/null; rm -rf "$work"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	workers=''
	mkdir "$work/tmp" "$work/taken" "$work/done" && make_tools || exit
	logs=${logs:-$work/tap}
	mkdir -p "$logs" && plan >"$work/plan" || exit
	if [ -n "$bundles" ] || grep -q '^bundle_test' "$work/plan"; then
		UNIT_BUNDLES=$work/bundles
		export UNIT_BUNDLES
		fake_bundles "$UNIT_BUNDLES" || exit
	fi
	if [ -n "$bundles" ]; then
		UNIT_BIN=$UNIT_BUNDLES
		export UNIT_BIN
	fi
	if [ ! -s "$work/plan" ]; then
		echo 'unit: no such test, shell or awk' >&2
		exit 2
	fi
	while [ "$i" -lt "$jobs" ]; do
		work_off &
		workers="$workers $!"
		i=$((i + 1))
	done
	report
	wait
	# shellcheck disable=SC2046 # names without blanks
	tap_total $(awk -v dir="$logs" '{ sub(/_test[.]sh$/, "", $1); print dir "/" $1 "." $2 "+" $3 ".tap" }' "$work/plan")
}

main "$@"
