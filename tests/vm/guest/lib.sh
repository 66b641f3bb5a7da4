# shellcheck shell=sh
# lib.sh - what the cases of tests/vm use; tests/vm/README.md describes it
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by case.sh under BusyBox ash. The runner sets: T, the case's own folder, where it starts; R, the runner's
# notes about this case (fail, skip, asserts, at_end); CASE_SHELL CASE_AWK CASE_PATH, what the tools run under;
# FTDIR TRACEFS KEY KVER.

rc=0
bg_pid=

# --- running the tools

# ft TOOL ARG... - run a tool of the toolkit as this pass wants it
ft() {
	local tool
	tool=$1
	shift
	if [ "$CASE_AWK" ]; then
		PATH=$CASE_PATH FIELDTRACE_AWK=$CASE_AWK "$CASE_SHELL" "$FTDIR/bin/$tool" "$@"
	else
		PATH=$CASE_PATH "$CASE_SHELL" "$FTDIR/bin/$tool" "$@"
	fi
}

# ft_bg TOOL ARG... - start a tool in the background, as the leader of a process group of its own; $bg_pid is the PID of
# the tool's shell itself, so "kill -INT $bg_pid" reaches only that and "kill -INT -$bg_pid" is what Ctrl-C does.
# A shell without job control starts background commands with INT and QUIT ignored, and nobody can undo that from
# within: hence env, or hush, where the guest has nothing but BusyBox.
ft_bg() {
	local tool
	tool=$1
	shift
	set -- "PATH=$CASE_PATH" ${CASE_AWK:+"FIELDTRACE_AWK=$CASE_AWK"} "$CASE_SHELL" "$FTDIR/bin/$tool" "$@"
	if [ -e /usr/bin/env ]; then
		setsid /usr/bin/env --default-signal=INT,QUIT "$@" &
	else
		# shellcheck disable=SC2016 # for hush
		setsid hush -c 'trap - INT QUIT; exec env "$@"' hush "$@" &
	fi
	bg_pid=$!
}

# run TOOL ARG... - run a tool to its end: stdout in $T/out, stderr in $T/err, exit status in $rc. Never ends the case.
run() {
	rc=0
	ft "$@" >"$T/out" 2>"$T/err" || rc=$?
}

# --- verdicts: the first that does not hold ends the case

# asserted - count an assertion; a case without any fails
asserted() {
	echo >>"$R/asserts"
}

# fail TEXT - end the case as failed
fail() {
	local file
	printf '%s\n' "$1"
	printf '%s\n' "${1%%
*}" >>"$R/fail"
	for file in out err; do
		[ -s "$T/$file" ] || continue
		printf -- '--- %s:\n' "$file"
		head -n 25 "$T/$file"
	done
	exit 1
}

# skip TEXT - end the case: it cannot be run here, and why
skip() {
	printf '%s\n' "$1" >"$R/skip"
	exit 0
}

# is WHAT GOT WANT - the same text?
is() {
	asserted
	[ "$2" = "$3" ] || fail "$1
got:  $2
want: $3"
}

# isnt WHAT GOT OTHER - another text?
isnt() {
	asserted
	[ "$2" != "$3" ] || fail "$1
got what must not be: $2"
}

# matches WHAT TEXT ERE - does a line of TEXT match?
matches() {
	asserted
	printf '%s\n' "$2" | grep -Eq -e "$3" || fail "$1
no line matches: $3
got: $2"
}

# nomatch WHAT TEXT ERE - does no line of TEXT match?
nomatch() {
	asserted
	! printf '%s\n' "$2" | grep -Eq -e "$3" || fail "$1
a line matches: $3
got: $2"
}

# ok WHAT COMMAND... - does the command succeed?
ok() {
	local what
	asserted
	what=$1
	shift
	"$@" || fail "$what
status $?: $*"
}

# num_holds A OP B - compare two numbers, fractions too; 2 if one is no number
num_holds() {
	awk -v a="$1" -v op="$2" -v b="$3" 'BEGIN {
		number = "^-?[0-9]+(\\.[0-9]+)?$"
		if (a !~ number || b !~ number) exit 2
		a += 0; b += 0
		exit !(op == "==" ? a == b : a <= b)
	}'
}

# num_eq WHAT GOT WANT - the same number?
num_eq() {
	asserted
	num_holds "$2" == "$3" || fail "$1
got:  $2
want: $3"
}

# num_between WHAT GOT LO HI - a number from LO to HI?
num_between() {
	asserted
	if ! num_holds "$3" '<=' "$2" || ! num_holds "$2" '<=' "$4"; then
		fail "$1
got:  $2
want: $3 to $4"
	fi
}

# rc_is N - did the last "run" end with exit status N?
rc_is() {
	asserted
	[ "$rc" = "$1" ] || fail "exit status
got:  $rc
want: $1"
}

# out_has ERE - does a line of the last run's stdout match?
out_has() {
	asserted
	grep -Eq -e "$1" "$T/out" || fail "stdout: no line matches: $1"
}

# err_has ERE - does a line of the last run's stderr match?
err_has() {
	asserted
	grep -Eq -e "$1" "$T/err" || fail "stderr: no line matches: $1"
}

# --- undo and waiting

# at_end COMMAND - a line of shell to run when the case is over, however it ends, before its state is judged; the last
# one registered runs first
at_end() {
	printf '%s\n' "$1" >>"$R/at_end"
}

# wait_for SECONDS COMMAND... - try the command ten times a second until it succeeds; 1 if it never does. On a machine that is
# slower than usual when the time is over it gets more.
wait_for() {
	local now rest end seconds slower
	seconds=$1 slower=
	shift
	read -r now rest </proc/uptime
	end=$((${now%.*} + seconds + 1))
	until "$@"; do
		read -r now rest </proc/uptime
		if [ "${now%.*}" -ge "$end" ]; then
			[ ! "$slower" ] || return 1
			slower=$(slowness)
			end=$((end + seconds * (slower - 1)))
		fi
		sleep 0.1
	done
}

. /tests/vm/guest/devices.sh
. /tests/vm/guest/slowness.sh
