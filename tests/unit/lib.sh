# shellcheck shell=sh
# lib.sh - what every unit test sources: TAP, the fake, and ways to run the toolkit's code
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh sets: TOP (the checkout), UNIT (this folder), T (an empty folder), UNIT_SHELL (words) and UNIT_AWK (a path): what
# the toolkit's code runs under, UNIT_PATH: a PATH with the programs of lib/applets only.

# shellcheck source=../tap.sh
. "$TOP/tests/tap.sh"
# shellcheck source=fake.sh
. "$UNIT/fake.sh"

FIELDTRACE_AWK=$UNIT_AWK
export FIELDTRACE_AWK
nl='
'
tab='	'

cmd() { # COMMAND ARG...: a command of bin/ (or of $UNIT_BIN) under the shell and PATH of this pass
	local name="$1"

	shift
	# shellcheck disable=SC2086 # a shell and its option
	PATH=$UNIT_PATH $UNIT_SHELL "${UNIT_BIN:-$TOP/bin}/$name" "$@"
}

run() { # COMMAND ARG...: the same to its end; $rc, $out, $err
	rc=0
	cmd "$@" >"$T/out" 2>"$T/err" </dev/null || rc=$?
	out=$(cat "$T/out")
	err=$(cat "$T/err")
}

start() { # COMMAND ARG...: the same in the background, with INT not ignored; $bg: its PID
	# A shell without job control starts background commands with INT and QUIT ignored, for good.
	local name="$1"

	shift
	: >"$T/out"
	: >"$T/err"
	# In braces, for in yash $! would be a shell around it; by path, for BusyBox has an env of its own.
	# shellcheck disable=SC2086
	{ exec /usr/bin/env --default-signal=INT,QUIT PATH="$UNIT_PATH" $UNIT_SHELL "${UNIT_BIN:-$TOP/bin}/$name" "$@"; } \
		>"$T/out" 2>"$T/err" </dev/null &
	bg=$!
}

finish() { # [SIGNAL]: end what `start` started; $rc, $out, $err
	if [ -n "${1:-}" ]; then kill -"$1" "$bg"; fi
	rc=0
	wait "$bg" || rc=$?
	out=$(cat "$T/out")
	err=$(cat "$T/err")
}

wait_for() { # COMMAND...: until it succeeds; 1 after half a minute
	local tries=0

	until "$@" 2>/dev/null; do
		tries=$((tries + 1))
		if [ "$tries" -gt 600 ]; then return 1; fi
		sleep 0.05
	done
}

stop_feeder() {
	if [ -n "${feeder:-}" ]; then
		kill "$feeder" 2>/dev/null
		wait "$feeder" 2>/dev/null
	fi
	feeder=
}

in_lib() { # PART... -- COMMAND...: in a shell of its own, with the library of the fake (or the real one) loaded
	# The library's functions as they are called by a command: `set -u` is not theirs.
	(
		lib=${FIELDTRACE_LIB:-$TOP/lib}
		PATH=$UNIT_PATH
		. "$lib/fieldtrace.sh"
		ft_tool=tool
		while [ "$1" != -- ]; do
			ft_load "$1"
			shift
		done
		shift
		ft_pick_awk
		"$@"
	)
}

lib() { # PART... -- COMMAND...: in_lib to its end; $rc, $out, $err
	rc=0
	in_lib "$@" >"$T/out" 2>"$T/err" </dev/null || rc=$?
	out=$(cat "$T/out")
	err=$(cat "$T/err")
}

show() { # COMMAND VARIABLE... : run the command, then print the variables, one a line
	local vars="$2" var

	eval "$1" # a test's own text
	for var in $vars; do eval "printf '%s\n' \"\$$var\""; done
}

awk_lib() { # PROGRAM ARG...: an awk program of lib/ under the awk of this pass
	local name="$1"

	shift
	"$UNIT_AWK" -f "$TOP/lib/common.awk" -f "$TOP/lib/$name.awk" "$@"
}

rc_is() { # NAME WANT: the status of the last run
	if [ "$rc" = "$2" ]; then
		tap_result 0 "$1"
		return
	fi
	tap_result 1 "$1" || :
	tap_note "status $rc, want $2"
	tap_note "$err"
}

unlike() { # NAME TEXT ERE: no line of TEXT matches
	if printf '%s\n' "$2" | grep -Eq -e "$3"; then
		tap_result 1 "$1" || :
		tap_note "a line matches $3 in:"
		tap_note "$2"
	else
		tap_result 0 "$1"
	fi
}

state_is() { # NAME: the tracer's state is what $before holds
	printf '%s\n' "$before" >"$T/before"
	fake_state >"$T/after"
	if cmp -s "$T/before" "$T/after"; then
		tap_result 0 "$1"
		return
	fi
	tap_result 1 "$1" || :
	tap_note "$(diff "$T/before" "$T/after" | head -n 20)"
}

writes() { # what was written, "FILE VALUE" a line, the instance's folder left out
	sed "s,^instances/[^/${tab}]*/,,; s,${tab}, ," "$FAKE/log"
}
