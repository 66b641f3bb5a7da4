# shellcheck shell=sh
# k_output_test.sh - stdout full, closed, or a pipe that nobody reads, stderr closed: what every command does that prints
# SPDX-License-Identifier: GPL-2.0-only
# runs: whole

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

forms() { # every way in which a command prints something without a stream: streams are for the kernel's own buffer
	for file in "$TOP"/bin/*; do echo "${file##*/} -h"; done
	cat <<-'END'
		tpoint -l
		tpoint -l sched:*
		tpoint -v sched:sched_switch
		kprobe -v p:vfs_read
		modtrace -l loop
		modtrace -n loop
		reset-ftrace -n
		reset-ftrace
		fieldtrace
		fieldtrace check
		funccount -d 0.05 vfs_read
	END
}

fake 7
# Something for reset-ftrace to show.
echo 'p:theirs/x vfs_read' >"$TRACEFS/kprobe_events"
before=$(fake_state)
forms >"$T/forms"
set -f
while IFS= read -r form; do
	# shellcheck disable=SC2086 # words
	set -- $form
	rc=0
	cmd "$@" >/dev/full 2>"$T/err" </dev/null || rc=$?
	tap_is "a full disk: $form: 9" "$rc" 9
	rc=0
	cmd "$@" >&- 2>"$T/err" </dev/null || rc=$?
	tap_is "closed stdout: $form: 9" "$rc" 9
	rc=0
	cmd "$@" >"$T/out" 2>&- </dev/null || rc=$?
	tap_is "closed stderr: $form: 0" "$rc" 0
	tap_is "closed stderr: $form: no message in the data" "$(grep -c -e '^Tracing' -e "^$1: " "$T/out")" 0
	{
		rc=0
		name=$1
		shift
		# Whoever started these tests may have SIGPIPE ignored.
		# shellcheck disable=SC2086 # a shell and its option
		/usr/bin/env --default-signal=PIPE PATH="$UNIT_PATH" $UNIT_SHELL "$TOP/bin/$name" "$@" 2>"$T/err" </dev/null || rc=$?
		echo "$rc" >"$T/rc"
	} | :
	case $(cat "$T/rc") in
	# mksh and yash give a signal's number in ways of their own.
	0 | 141 | 269 | 397) tap_result 0 "K17: $form | :" ;;
	*) tap_is "K17: $form | :" "$(cat "$T/rc")" '0 or 141' ;;
	esac
	tap_is "K17: $form: no error text" "$(grep -i -e pipe -e error -e cannot "$T/err")" ''
done <"$T/forms"
state_is 'all undone'

tap_done
