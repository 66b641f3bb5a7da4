# shellcheck shell=sh
# reset-ftrace.sh - a session with reset-ftrace
# SPDX-License-Identifier: GPL-2.0-only

title 'What is left over in the tracer, and whose it is: reset-ftrace'
say 'At rest there is nothing to say.'
show reset-ftrace -n
say 'Somebody has left things behind: a run of functrace that was killed with -9, which no program can clean up after, and a function filter and a probe that were set by hand.'
functrace vfs_write >/dev/null 2>err &
dead=$!
wait_for 60 grep -q '^Tracing' err
kill -KILL "$dead"
wait "$dead" 2>/dev/null || :
echo 'p:mine vfs_fsync' >/sys/kernel/tracing/kprobe_events
at_end 'echo >/sys/kernel/tracing/kprobe_events'
echo vfs_read >/sys/kernel/tracing/set_ftrace_filter
at_end 'echo >/sys/kernel/tracing/set_ftrace_filter'
show reset-ftrace -n
say 'Without options it removes what its own dead left, and nothing else. (The next run of any command here does the same, on its way.)'
show reset-ftrace
say 'What is somebody else'"'"'s needs -a, which lists it first. After that the tracer is as after a fresh boot.'
show reset-ftrace -a
show reset-ftrace -n
