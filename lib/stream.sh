# stream.sh - duration, live reading, headers, lost events
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: ft_stream, ft_header, ft_banner, ft_report_losses, ft_stop_awk. Reads trace, trace_pipe and
# per_cpu/*/stats of this session's folder; stdout gets events and nothing else.

FT_PROGRAMS="$FT_PROGRAMS dd ls"

# What the functions here set, empty until then: the environment may have variables of these names.
ft_at= ft_counted= ft_left= ft_lost_lines= ft_quiet= ft_reader= ft_seen= ft_stopped= ft_unread=

ft_banner() { # WHAT DURATION: the one line at the start, on stderr
	if [ -n "$2" ]; then ft_note "Tracing $1 for $2 seconds..."; else ft_note "Tracing $1... Ctrl-C to end."; fi
}

ft_header() {
	# -H: the column header out of `trace`, while nothing is recorded yet (trace_pipe has none).
	local line

	while IFS= read -r line; do
		case $line in
		'#'*) printf '%s\n' "$line" 2>/dev/null || ft_output_failed ;;
		*) break ;;
		esac
	done <"$ft_dir/trace"
}

ft_stream() { # WHAT [DURATION]
	# Without a duration: live, from trace_pipe, until a signal. With one: recorded in the buffer, then
	# printed with tracing off. The banner comes when tracing is on, so that who waits for it misses nothing.
	ft_running=1
	ft_left=0
	if [ -n "${2:-}" ]; then ft_stream_buffered "$1" "$2"; else ft_stream_live "$1"; fi
	ft_still_there
	ft_report_losses "$ft_left"
}

ft_stream_buffered() { # WHAT DURATION
	local rc=0 had

	ft_ms "$2"
	ft_trace_on
	ft_banner "$1" "$2"
	ft_sleep "$ft_ms" || :
	ft_heard
	ft_trace_off
	# An empty trace_pipe is waited on, even with tracing off.
	ft_unread=0
	if ! ft_nothing_recorded; then ft_buffer_stats; fi
	if [ "$ft_unread" = 0 ]; then
		if [ -n "${ft_asked:-}" ]; then ft_quiet_hint; fi
		return
	fi
	had=$ft_signal
	ft_print_buffer
	ft_wait_reader "$had" || rc=$?
	ft_reader_result "$rc"
	if [ -n "$ft_signal" ]; then
		kill "$ft_reader" 2>/dev/null
		ft_buffer_stats
		ft_unread_left
	fi
}

ft_print_buffer() {
	# Starts the reader of what was recorded; with tracing off trace_pipe ends where the buffer does. dd at
	# the end, because BusyBox awk and grep end with 0 when their output could not be written.
	{
		ft_no_ctrl_c
		if ft_pipe_ends; then ft_awk_exec names -v proc="$(ft_names_from)" -v only="$ft_only" <"$ft_dir/trace_pipe"; fi
		ft_drain | ft_awk_exec names -v proc="$(ft_names_from)" -v only="$ft_only"
	} 2>/dev/null | {
		ft_no_ctrl_c
		exec dd bs=65536 2>/dev/null
	} &
	ft_started
	ft_reader=$ft_pid
	ft_child "$ft_reader"
}

ft_pipe_ends() { # whether trace_pipe ends when tracing is off and the buffer is empty
	# Until about 3.5 it asks tracing_enabled. From 3.10 to 4.3 that of an instance asks the top level's tracing_on, which
	# is not ours; instances got set_event_pid in 4.4.
	if [ -n "$ft_private" ]; then [ -e "$ft_dir/set_event_pid" ]; else [ ! -e "$ft_dir/tracing_enabled" ]; fi
}

ft_drain() { # trace_pipe to stdout where it does not end by itself; in a process of its own, with tracing off
	dd bs=65536 <"$ft_dir/trace_pipe" &
	ft_reader=$!
	until ft_reader_done; do sleep 0.1 || sleep 1; done
	wait "$ft_reader"
} 2>/dev/null

ft_reader_done() { # whether the reader, a dd, is gone, or has written everything and waits for more, where it is ended
	if ft_reader_gone; then return 0; fi
	ft_buffer_stats
	if [ "$ft_unread" != 0 ]; then return 1; fi
	ft_reader_at
	if [ "$ft_seen" != 0 ] && [ "$ft_at" != read ]; then return 1; fi
	ft_kill "$ft_reader"
}

ft_names_from() {
	# The folder that has the names of kernel PIDs: /proc, unless it shows a container's numbers.
	if ft_initial_pids || ! ft_inner_pids; then printf '%s\n' "$FT_PROC"; fi
}

ft_stream_live() { # WHAT
	local rc=0

	ft_open_live
	ft_watch_first
	ft_trace_on
	if [ -n "$ft_feeds" ]; then ft_mark "ours $ft_reader ${ft_watch% *}"; fi
	ft_banner "$1" ''
	ft_wait_reader '' || rc=$?
	ft_end_watch
	if [ -n "$ft_signal" ]; then
		ft_heard
		if [ -n "$ft_feeds$ft_only" ]; then
			ft_stop_awk end "$ft_signal"
			return
		fi
		ft_trace_off
		ft_stop_dd
		return
	fi
	# Where the end of the pipeline failed, and nobody writes to tell awk so.
	if [ -n "$ft_feeds$ft_only" ]; then ft_mark end; fi
	ft_trace_off
	ft_reader_result "$rc"
}

ft_open_live() {
	# The reader of a live run: dd alone, unless what it reads has to be sorted out; then awk, with dd at its end as in
	# ft_print_buffer.
	local own proc

	if [ -z "$ft_feeds$ft_only" ]; then
		ft_open_pipe dd bs=65536
		return
	fi
	FT_MARKER=$ft_dir/trace_marker
	export FT_MARKER
	ft_free_pipe
	ft_awk_probe_live
	ft_kernel_pid $$
	own=$ft_kpid
	proc=$(ft_names_from)
	ft_unknown_readers=1
	{
		ft_no_ctrl_c
		ft_awk_exec names -v proc="$proc" -v only="$ft_only" -v own="${ft_feeds:+$own}" -v live="$own" \
			-v status="$FT_PROC/self/status" <"$ft_dir/trace_pipe" 2>/dev/null
	} | {
		ft_no_ctrl_c
		exec dd bs=65536 2>/dev/null
	} &
	ft_started
	ft_reader=$ft_pid
	ft_child "$ft_reader"
}

ft_open_pipe() { # COMMAND [ARG...]: starts a reader with trace_pipe as its stdin
	# dd and not cat: BusyBox cat splices, and then nothing tells a reader that waits from one that writes.
	ft_free_pipe
	{
		ft_no_ctrl_c
		exec "$@" <"$ft_dir/trace_pipe" 2>/dev/null
	} &
	ft_started
	ft_reader=$ft_pid
	ft_child "$ft_reader"
}

ft_free_pipe() { # ends with 1 or 5 where trace_pipe cannot be read
	if [ ! -r "$ft_dir/trace_pipe" ]; then
		ft_why_refused "$ft_dir/trace_pipe"
		ft_die "$FT_EX_FAIL" "cannot read $ft_dir/trace_pipe"
	fi
	# `true`, for a redirection that fails ends the shell where the command is a special built-in (`:`).
	if [ -z "$ft_private" ] && ! { true <"$ft_dir/trace_pipe"; } 2>/dev/null; then
		ft_die "$FT_EX_BUSY" "trace_pipe of the top level is being read by somebody else"
	fi
}

ft_wait_reader() { # SIGNAL: what $ft_signal was when the caller last looked
	# Waits for the reader and returns its status; a signal that came since then ends the wait, and the nudge after an
	# earlier one (USR1) does not.
	local rc again

	while :; do
		rc=0
		wait "$ft_reader" || rc=$?
		if [ "$rc" -le 128 ] || [ "$ft_signal" != "$1" ]; then return "$rc"; fi
		if ft_reader_gone; then break; fi
	done
	# Either that was the reader's own status, or it ended just after the wait was cut short.
	again=0
	wait "$ft_reader" 2>/dev/null || again=$?
	if [ "$again" -ne 127 ]; then rc=$again; fi
	return "$rc"
}

ft_reader_result() { # RC: ends with 9 when the reader failed to write, quietly when its pipe closed
	# Above 255: how yash and ksh report a signal's end.
	case $1 in
	0) ;;
	141 | 397 | 269) ft_signal=${ft_signal:-141} ;;
	*) if [ -z "$ft_signal" ]; then ft_output_failed; fi ;;
	esac
}

ft_watch_first() {
	# In the background, for the first seconds: one hint if nothing comes at all. The shell itself is in its `wait` soon:
	# a signal that comes while it carries out a return is lost in yash, and ends BusyBox ash without a report.
	ft_start_loop ft_watch_for_events
	ft_started
	ft_watch=
	if ft_start_time "$ft_pid"; then ft_watch="$ft_pid $ft_start"; fi
}

ft_watch_for_events() {
	# A second at a time: nobody is left to be told when the run was killed.
	local tries=0

	while [ "$tries" -lt 5 ] && ft_loop_sleep 1 && kill -0 $$ 2>/dev/null; do tries=$((tries + 1)); done
	ft_buffer_stats
	if [ "$tries" = 5 ] && [ "$ft_seen" = 0 ]; then
		ft_note "$ft_tool: no event in 5 seconds. Does the code run at all? A filter or a PID may leave everything out."
		if [ -n "${ft_asked:-}" ]; then ft_quiet_hint; fi
	fi
}

ft_end_watch() {
	# It is over by itself mostly, and its PID somebody else's by then.
	# shellcheck disable=SC2086 # no glob: PID and start time
	if [ -n "${ft_watch:-}" ] && ft_alive $ft_watch; then ft_end_loop "${ft_watch% *}"; fi
	ft_watch=
}

ft_buffer_stats() {
	# Sums up per_cpu/*/stats: $ft_unread (entries), $ft_seen (0 or 1: anything recorded yet),
	# $ft_lost_lines ("CPU COUNT", a line a CPU that lost). A 32-bit shell cannot add large numbers,
	# so awk adds up what is reported.
	local file cpu lost key word value rest

	ft_unread=0
	ft_seen=0
	ft_lost_lines=
	for file in "$ft_dir"/per_cpu/cpu*/stats; do
		if [ ! -r "$file" ]; then continue; fi
		cpu=${file%/stats}
		cpu=${cpu##*/cpu}
		lost=
		# "entries: N", "overrun: N", "commit overrun: N", "dropped events: N", "read events: N"
		while read -r key word value rest; do
			case $key in
			commit | dropped | read) word=$value ;;
			esac
			case $word in
			'' | 0 | *[!0-9]*) continue ;;
			esac
			case $key in
			entries:) ft_unread=1 ;;
			read) ;;
			overrun: | commit | dropped) lost="$lost $word" ;;
			*) continue ;;
			esac
			ft_seen=1
		done 2>/dev/null <"$file"
		if [ -n "$lost" ]; then
			ft_lost_lines="$ft_lost_lines$cpu$lost
"
		fi
	done
}

ft_nothing_recorded() { # -> $ft_quiet=1 and 0 when the buffers never held anything, which leaves nothing to read and nothing lost
	# The header of `trace` says so for all CPUs at once ("# entries-in-buffer/entries-written: 0/0   #P:4", 3.2 up), where
	# stats wants a file a CPU, each byte of which the kernel makes anew. Only while tracing is off: opening `trace` stops it on
	# older kernels.
	local line n=0

	ft_quiet=
	while [ "$n" -lt 4 ] && IFS= read -r line; do
		n=$((n + 1))
		case $line in
		*entries-written:\ 0/0\ *)
			ft_quiet=1
			return 0
			;;
		esac
	done 2>/dev/null <"$ft_dir/trace"
	return 1
}

ft_report_losses() { # [MORE]
	# Says on stderr what the ring buffer lost, by CPU, plus MORE events that were not read in time.
	if [ -n "${ft_quiet:-}" ]; then return; fi
	if [ -z "${ft_counted:-}" ]; then ft_buffer_stats; fi
	if [ -z "$ft_lost_lines" ] && [ "${1:-0}" = 0 ]; then return; fi
	ft_warn "$(printf '%s' "$ft_lost_lines" | ft_awk lost -v more="${1:-0}")"
}

ft_reader_at() { # -> $ft_at: 'read' while the reader sleeps in a read of its stdin, trace_pipe, all it has read being written;
	# 'write' while it sleeps in a write to its stdout; else empty. wchan names the kernel function where the kernel tells;
	# else /proc/PID/syscall shows the call's number and its first argument.
	local line=''

	ft_at=
	{ read -r line <"$FT_PROC/$ft_reader/wchan" || :; } 2>/dev/null
	case $line in
	*ring_buffer_wait* | *wait_on_pipe* | *wait_pipe*) ft_at='read' ;;
	*pipe_write*) ft_at='write' ;;
	*)
		line=
		{ read -r line <"$FT_PROC/$ft_reader/syscall" || :; } 2>/dev/null
		line=${line#* }
		case $line in
		'0x0 '*) ft_at='read' ;;
		'0x1 '*) ft_at='write' ;;
		esac
		;;
	esac
	return 0
}

ft_reader_gone() {
	ft_state_of "$ft_reader"
	case $ft_pstate in
	'' | Z) return 0 ;;
	esac
	return 1
}

ft_stop_dd() {
	# Ends the reader without losing what it holds. With tracing off it meets the end of trace_pipe
	# when the buffer is empty, except on kernels that do not wake a sleeping reader for that.
	local tries=0

	while [ "$tries" -lt 8 ]; do
		tries=$((tries + 1))
		if ft_reader_done; then return; fi
		sleep 0.1 2>/dev/null || break
	done
	# Its time is over, and KILL would lose the lines in its hands uncounted. While it stands still, what is left is counted
	# and taken from under it, and so are the counters, which a reset sets to 0; then it can write, and meets the end.
	kill -STOP "$ft_reader" 2>/dev/null
	tries=0
	while ft_state_of "$ft_reader" && [ "$ft_pstate" != T ] && [ "$tries" -lt 5 ]; do
		tries=$((tries + 1))
		sleep 0.1 2>/dev/null || sleep 1
	done
	ft_buffer_stats
	ft_unread_left
	ft_counted=1
	ft_write "$ft_dir/trace" ''
	kill -CONT "$ft_reader" 2>/dev/null
	tries=0
	while ! ft_reader_gone && [ "$tries" -lt 3 ]; do
		tries=$((tries + 1))
		sleep 0.1 2>/dev/null || sleep 1
	done
	ft_reader_at
	if [ "$ft_at" = write ]; then ft_warn 'nobody read stdout: the last lines on their way there, up to 8 KB, are not printed'; fi
	ft_kill "$ft_reader"
}

ft_mark() { # TEXT: a line into this session's own stream, for our awk at its other end
	ft_append "$ft_dir/trace_marker" "fieldtrace-$1"
}

ft_stop_awk() { # LAST_MARK [SIGNAL]
	# -> $ft_stopped, its status. Ends an awk that reads trace_pipe so that its END runs: let it drain the buffer and meet the end
	# of the pipe; where the kernel does not wake it, wake it with a mark. For that one line tracing
	# is on again, with nobody but this shell to be traced, and this shell left out. After a SIGNAL it
	# gets a second, at the end of a duration the time it needs.
	local tries=0

	ft_trace_off
	while [ "$tries" -lt 9 ]; do
		if [ -n "${2:-}$ft_signal" ]; then tries=$((tries + 1)); fi
		if ft_reader_gone; then break; fi
		ft_buffer_stats
		if [ "$ft_unread" = 0 ]; then break; fi
		sleep 0.1 2>/dev/null || sleep 1
	done
	ft_unread_left
	ft_kernel_pid $$
	if [ -n "$ft_private" ]; then
		ft_write "$ft_dir/set_ftrace_pid" "$ft_kpid"
		ft_write "$ft_dir/set_ftrace_notrace_pid" "$ft_kpid"
	else
		ft_set_global set_ftrace_pid "$ft_kpid"
		ft_set_global set_ftrace_notrace_pid "$ft_kpid"
	fi
	ft_write "$ft_dir/tracing_on" 1
	ft_stopped=0
	if ft_mark "$1"; then
		ft_unstick
		ft_wait_reader "$ft_signal" || ft_stopped=$?
	else
		ft_kill "$ft_reader"
	fi
	ft_write "$ft_dir/tracing_on" 0
}

ft_unstick() {
	# A reader that cannot write, for a second, as nobody reads stdout, would be waited for without an end.
	local tries=0

	while ft_reader_at && [ "$ft_at" = write ]; do
		if [ "$tries" = 10 ]; then
			ft_warn 'nobody read stdout: the last lines on their way there are not printed'
			ft_kill "$ft_reader"
			return
		fi
		tries=$((tries + 1))
		sleep 0.1 2>/dev/null || sleep 1
	done
}

ft_unread_left() { # -> $ft_left: entries still in the buffer, a sum by awk
	local file

	ft_left=0
	if [ "$ft_unread" = 0 ]; then return; fi
	# shellcheck disable=SC2016 # awk's own
	ft_left=$("$ft_awk" '$1 == "entries:" { n += $2 } END { printf "%.0f\n", n }' "$ft_dir"/per_cpu/cpu*/stats)
}
