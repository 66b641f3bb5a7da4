# session.sh - a private instance or the guarded top level; journal, signals, stale clean-up
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: ft_session_begin, ft_set, ft_guard, ft_tracer, ft_clock, ft_trace_on/off, ft_child, ft_heard,
# ft_clean_stale, ft_alive. Touches instances/, and at the top level only what ft_set and
# ft_guard journal first. Everything it does is undone by ft_cleanup, which the EXIT trap runs.
# What few runs need is in guard.sh and stale.sh, since a BusyBox shell takes its time to read a file.
#
# A run is known by its PID and start time (proc(5), stat field 22): a PID alone may be somebody
# else by the time another run looks.

FT_PROGRAMS="$FT_PROGRAMS grep id ls mkdir rm rmdir"

ft_dir=          # where this run traces: its instance, or the top level
ft_private=      # 1 while ft_dir is an instance of our own
ft_children=     # PIDs to end at clean-up
ft_signal=       # exit code of the signal that ended the run, if one did
ft_running=      # 1 while a signal means "finish the report", not "give up"
ft_journal=      # "FILE VALUE" lines: what the top level held before we wrote, newest first
ft_journal_file= # the same on disk, for whoever cleans up after a kill -9
ft_lock=         # lock folder we hold
ft_guarded=      # 1 once the top level was found free: a second look would meet what we set there ourselves
ft_busy_check=ft_busy_top
ft_pid_lists=       # 1 once set_ftrace_pid is known to be a list of the kernel's own (4.8 up) and no mark in each task
ft_only=            # PIDs that are left of what the kernel gives, where its own PID filter takes children too
ft_feeds=           # 1 where the kernel cannot leave our reader out of the trace
ft_unknown_readers= # 1 once a reader runs whose PID is not known
ft_probes=          # probes to delete, "EVENTS_FILE GROUP/NAME" lines, newest first

# What the functions here set, empty until then: the environment may have variables of these names.
ft_before_nudge= ft_busy= ft_group= ft_id= ft_nudge= ft_owner= ft_pid_found= ft_pstate= ft_start= ft_state=
ft_state_found= ft_watch= seen=

ft_start_time() { # PID -> $ft_start: its start time in clock ticks; returns 1 when there is no such process
	local line='' dir="$FT_PROC/$1"

	ft_start=
	{ IFS= read -r line <"$dir/stat"; } 2>/dev/null || return 1
	# comm may hold anything, blanks and brackets included: count from its last bracket.
	line=${line##*') '}
	# One that is over and that nobody has waited for is none.
	case $line in
	[ZX]*) return 1 ;;
	esac
	# shellcheck disable=SC2086 # no glob: the kernel's numbers
	set -- $line
	[ $# -ge 20 ] || return 1
	shift 19
	ft_start=$1
}

ft_alive() { # PID START: whether that very process still runs
	ft_start_time "$1" && [ "$ft_start" = "$2" ]
}

ft_state_of() { # PID -> $ft_pstate: its state letter; empty when there is no such process
	local line=

	ft_pstate=
	{ IFS= read -r line <"$FT_PROC/$1/stat"; } 2>/dev/null || return 0
	line=${line##*') '}
	ft_pstate=${line%% *}
}

ft_identify() {
	# $ft_id: PID.START of this run; its name for others, in instance names and in the environment
	# of our children, so that they can be found after a kill -9.
	if [ -n "${ft_id:-}" ]; then return; fi
	if ! ft_start_time $$; then ft_start=0; fi
	ft_id=$$.$ft_start
	ft_group=ft_$$_$ft_start
	FIELDTRACE_RUN=$ft_id
	export FIELDTRACE_RUN
}

### signals

ft_on_signal() { # CODE
	# The first signal during a run ends it with its final report; a second one, or one before the
	# run, ends at once. Either way the EXIT trap undoes everything.
	if [ -z "$ft_running" ] || [ -n "$ft_signal" ]; then
		exit "$1"
	fi
	ft_signal=$1
	ft_before_nudge=$!
	# It may have come just before a `wait`, which would then sleep on: nudge it once more, and again each second, for a
	# busy machine may keep the shell from its `wait` for longer than the first. Only while it sleeps: a trapped signal
	# that comes while BusyBox ash carries out a return, break or continue ends it on the spot, without a report.
	# Not by ft_started: whatever the signal cut short may be at that.
	ft_start_loop ft_nudge_shell
	ft_nudge=$!
}

ft_nudge_shell() {
	ft_loop_sleep 0.2 || ft_loop_sleep 1
	while kill -0 $$; do
		ft_state_of $$
		case $ft_pstate in
		S | '') kill -USR1 $$ ;;
		esac
		ft_loop_sleep 1
	done
} 2>/dev/null

ft_heard() {
	# Ends the nudge once this shell is out of its `wait`: it is awake now, where a nudge can only do harm.
	if [ -n "${ft_nudge:-}" ]; then ft_end_loop "$ft_nudge"; fi
	ft_nudge=
}

ft_trap() {
	trap ft_cleanup EXIT
	trap : USR1
	trap 'ft_on_signal 129' HUP
	trap 'ft_on_signal 130' INT
	trap 'ft_on_signal 131' QUIT
	trap 'ft_on_signal 141' PIPE
	trap 'ft_on_signal 143' TERM
}

ft_end() { # [CODE]
	# Ends the run. Ctrl-C is the normal end of an open-ended run: 0.
	local code="${1:-0}"

	case $ft_signal in
	'' | 130) ;;
	*) code=$ft_signal ;;
	esac
	exit "$code"
}

ft_still_there() {
	# Ends with 1 when somebody took away what this run traced in: the kernel lets an instance be removed while no
	# file of it is open, and tracefs be unmounted at any time. The folder it was mounted on stays.
	if [ -e "$ft_dir/trace" ]; then return; fi
	ft_die "$FT_EX_FAIL" "$ft_dir is gone: somebody removed it, or unmounted tracefs. What it held is lost."
}

ft_child() { # PID: to be ended at clean-up if it still runs
	ft_children="$ft_children $1"
	# A reader of the top level's trace_pipe looks like anybody's: the journal tells whoever cleans up after a kill -9.
	if [ -z "$ft_private" ] && [ -n "$ft_journal_file" ] && ft_start_time "$1"; then
		ft_journal_line child "$1" "$ft_start"
	fi
}

ft_cleanup() {
	# The one undo. Order: our readers, tracing off, tracer nop, events off, probes, then filters: a
	# filter cleared under a running tracer traces everything. Writes nothing before it is done.
	local code=$? pid

	trap - EXIT
	set +f
	trap '' HUP INT QUIT PIPE TERM USR1
	# KILL: a child that has not got as far as its exec loses a TERM, and the wait for it would never end.
	# no glob: PIDs
	for pid in $ft_children ${ft_sleep_pid:-}; do kill -9 "$pid" 2>/dev/null; done
	# no glob: PIDs
	for pid in $ft_children; do wait "$pid" 2>/dev/null; done
	ft_heard
	if [ -n "${ft_watch:-}" ]; then ft_end_watch; fi
	if [ -n "${ft_unknown_readers:-}" ]; then ft_kill_children "$ft_id"; fi
	if [ -n "$ft_dir$ft_probes$ft_journal$ft_lock" ]; then ft_undo; fi
	if [ "$code" = 130 ] && [ -n "$ft_signal" ]; then code=0; fi
	exit "$code"
}

ft_undo() {
	local tries=0

	if [ -n "$ft_dir" ] && [ ! -e "$ft_dir/trace" ]; then ft_refind; fi
	if [ -n "$ft_private" ]; then
		ft_quiet_instance "$ft_dir"
		ft_delete_probes
		# The reader of trace_pipe may need a moment to let go.
		while ! rmdir "$ft_dir" 2>/dev/null && [ -d "$ft_dir" ]; do
			tries=$((tries + 1))
			if [ "$tries" -gt 20 ]; then
				ft_warn "cannot remove $ft_dir (in use); reset-ftrace removes it later"
				break
			fi
			sleep 0.05 2>/dev/null || sleep 1
		done
	else
		ft_delete_probes
	fi
	if ft_undo_journal; then ft_unlock; fi
}

ft_refind() {
	# Somebody unmounted tracefs under us: our instance lives on, so mount it once more for the undo.
	local name="${ft_dir##*/}"

	if ! ft_find_tracefs && ! ft_mount_tracefs; then return; fi
	if [ -n "$ft_private" ]; then ft_dir=$FT_TRACEFS/instances/$name; else ft_dir=$FT_TRACEFS; fi
}

ft_quiet_instance() { # DIR: stop everything in it, in the right order
	ft_write "$1/tracing_on" 0
	ft_write "$1/current_tracer" nop
	ft_write "$1/events/enable" 0
}

### state folder, lock, journal

ft_state_dirs() { # calls: "$1" CANDIDATE for each possible state folder until it returns 0
	local base

	for base in ${FIELDTRACE_STATE:+"$FIELDTRACE_STATE"} /run /dev/shm /tmp; do
		if "$1" "$base/fieldtrace"; then return 0; fi
	done
	return 1
}

ft_lock_owner() { # LOCK -> $ft_owner ("PID START COMMAND"), empty when unknown
	ft_owner=
	{ read -r ft_owner <"$1/owner"; } 2>/dev/null || :
}

ft_unlock() {
	# The journal first: once the lock is gone the top level is somebody else's, and nothing may undo there for us.
	if [ -n "$ft_journal_file" ]; then rm -f "$ft_journal_file" 2>/dev/null; fi
	ft_journal_file=
	if [ -n "$ft_lock" ]; then ft_remove_lock "$ft_lock"; fi
	ft_lock=
	# Gone when it is empty: nothing of ours is left anywhere.
	if [ -n "${ft_state:-}" ]; then rmdir "$ft_state" 2>/dev/null; fi
	ft_state=
}

ft_undo_journal() {
	# Newest first, but tracing_on and the tracer before the filters; the tracer's flags even before that,
	# since before 4.4 nobody sees them without it.
	case $ft_journal in
	*'file current_tracer '*)
		ft_write "$FT_TRACEFS/tracing_on" 0
		ft_undo_lines 'file options/func*'
		ft_stop_tracer || return 1
		;;
	esac
	ft_undo_lines '*'
	ft_journal=
}

ft_undo_lines() { # GLOB: those lines of the journal
	local ft_lines="$ft_journal" ft_line line kind word

	while ft_next_line; do
		# shellcheck disable=SC2254 # a glob is meant
		case $ft_line in
		$1) ;;
		*) continue ;;
		esac
		kind=${ft_line%% *}
		line=${ft_line#* }
		word=${line%% *}
		ft_undo_line "$kind" "$word" "${line#* }"
	done
}

### other runs

ft_state_existing() { # DIR -> $ft_state_found
	if [ ! -d "$1" ] || ! ft_state_ok "$1"; then return 1; fi
	ft_state_found=$1
}

ft_clean_stale() {
	# Called at the start of every run: removes what dead fieldtrace runs left, and only that.
	local dir name pid start seen=' '

	for dir in "$FT_TRACEFS"/instances/ft.*.*.* "$FT_TRACEFS"/events/ft_*_*; do
		name=${dir##*/}
		case $name in
		*'*'*) continue ;;
		ft.*)
			start=${name##*.}
			pid=${name%.*}
			pid=${pid##*.}
			;;
		*)
			start=${name##*_}
			pid=${name%_*}
			pid=${pid##*_}
			;;
		esac
		ft_clean_if_dead "$pid" "$start"
	done
	if ! ft_state_dirs ft_state_existing; then return 0; fi
	for dir in "$ft_state_found"/journal.*.* "$ft_state_found"/undo.*.*; do
		name=${dir##*/}
		name=${name#*.}
		case $name in
		*'*'*) continue ;;
		esac
		ft_clean_if_dead "${name%.*}" "${name#*.}"
	done
	ft_lock_owner "$ft_state_found/top.lock"
	case $ft_owner in
	*' '*' '*)
		pid=${ft_owner%% *}
		start=${ft_owner#* }
		ft_clean_if_dead "$pid" "${start%% *}"
		;;
	esac
}

ft_clean_if_dead() { # PID START (uses $seen of ft_clean_stale)
	case $1$2 in
	*[!0-9]*) return ;;
	esac
	case $seen in
	*" $1.$2 "*) return ;;
	esac
	seen="$seen$1.$2 "
	if ft_alive "$1" "$2"; then return; fi
	ft_warn "cleaning up after a run that is gone (PID $1)"
	ft_clean_run "$1" "$2"
}

ft_clean_run() { # PID START
	ft_load stale
	ft_clean_run "$@"
}

ft_kill_children() { # ID
	ft_load stale
	ft_kill_children "$@"
}

### probes

ft_add_probe() { # EVENTS_FILE GROUP/NAME DEFINITION
	# Remembered before it exists, on disk too when the group is not ours to recognize.
	# Returns 1 when the kernel refuses.
	ft_probes="$1 $2
$ft_probes"
	case $2 in
	"$ft_group"/*) ;;
	*) ft_journal_line probe "$1" "$2" ;;
	esac
	if ft_append "$FT_TRACEFS/$1" "$3"; then return; fi
	ft_probes=${ft_probes#*"
"}
	return 1
}

ft_delete_probes() {
	# Ours, newest first. A probe can be deleted only when no instance has its event on.
	local ft_lines="$ft_probes" ft_line line file

	ft_probes=
	if [ -z "$ft_private" ] && [ -d "$FT_TRACEFS/events/${ft_group:-}" ]; then
		ft_write "$FT_TRACEFS/events/$ft_group/enable" 0
	fi
	while ft_next_line; do
		file=${ft_line%% *}
		line=${ft_line#* }
		if ! ft_append "$FT_TRACEFS/$file" "-:$line"; then
			ft_write "$FT_TRACEFS/events/$line/enable" 0
			ft_retry_delete "$file" "$line"
		fi
	done
}

ft_retry_delete() { # FILE GROUP/NAME: "busy" for a moment is normal after an enable file was written
	local tries=0

	while [ -d "$FT_TRACEFS/events/$2" ] && ! ft_append "$FT_TRACEFS/$1" "-:$2"; do
		tries=$((tries + 1))
		if [ "$tries" -gt 10 ]; then
			ft_warn "cannot delete probe $2: busy"
			return
		fi
		sleep 0.05 2>/dev/null || sleep 1
	done
}

### what a run in an instance of its own does not need: guard.sh, whose functions take the place of these when the first is called

ft_state_ok() {
	ft_load guard
	ft_state_ok "$@"
}

ft_journal_line() {
	ft_load guard
	ft_journal_line "$@"
}

ft_busy_top() {
	ft_load guard
	ft_busy_top "$@"
}

ft_guard() {
	ft_load guard
	ft_guard "$@"
}

ft_set_global() {
	ft_load guard
	ft_set_global "$@"
}

ft_tracer_flag() {
	ft_load guard
	ft_tracer_flag "$@"
}

### the session itself

ft_tracer_listed() { # DIR TRACER: whether available_tracers there names it
	ft_read_first "$1/available_tracers"
	case " $ft_value " in
	*" $2 "*) return 0 ;;
	esac
	return 1
}

ft_session_begin() { # NEED [PIDS]
	# NEED: a tracer's name, or "events". Finds tracefs, cleans up after the dead, and makes an
	# instance that can do NEED, for some PIDS only where there are any; where the kernel has none, guards the top level.
	# Sets ft_dir. Fails with 3, 4, 5 or 11, and leaves nothing.
	ft_need_tracefs
	ft_identify
	ft_trap
	ft_clean_stale
	if [ "$1" != events ] && ! ft_tracer_listed "$FT_TRACEFS" "$1"; then
		ft_die "$FT_EX_KERNEL" "this kernel has no '$1' tracer: it needs $(ft_tracer_config "$1")"
	fi
	if [ "$1" != events ]; then ft_enable_functions; fi
	if [ "$1" != events ] && ft_read_first "$FT_PROC/sys/kernel/ftrace_enabled" && [ "$ft_value" = 0 ]; then
		ft_die "$FT_EX_KERNEL" 'the function tracers are switched off: sysctl kernel.ftrace_enabled=1 switches them on'
	fi
	if ft_make_instance "$1" "${2:-}"; then return; fi
	ft_dir=$FT_TRACEFS
	ft_guard
	# What stands in the buffer from before is not this run's.
	ft_write "$FT_TRACEFS/trace" ''
	ft_read_first "$FT_TRACEFS/tracing_on"
	if [ "$ft_value" = 0 ]; then
		ft_warn "tracing_on was 0 at the top level; it is 1 for this run and 0 again afterwards"
	fi
}

ft_enable_functions() {
	# kernel.ftrace_enabled = 0 lets every function tracer see nothing, without a word.
	ft_read_first "$FT_PROC/sys/kernel/ftrace_enabled" || return 0
	if [ "$ft_value" != 0 ]; then return; fi
	ft_warn 'kernel.ftrace_enabled was 0; it is 1 for this run and 0 again afterwards'
	ft_journal_line sysctl ftrace_enabled 0
	if ! ft_write "$FT_PROC/sys/kernel/ftrace_enabled" 1; then
		ft_die "$FT_EX_PERM" 'cannot set kernel.ftrace_enabled to 1: no function would be traced'
	fi
}

ft_tracer_config() { # TRACER: the CONFIG option that brings it
	case $1 in
	function) echo CONFIG_FUNCTION_TRACER ;;
	function_graph) echo CONFIG_FUNCTION_GRAPH_TRACER ;;
	*) echo "CONFIG_$1" ;;
	esac
}

ft_make_instance() { # NEED PIDS: a private instance that can do NEED, or 1
	local dir="$FT_TRACEFS/instances/ft.$ft_tool.$ft_id"

	if [ ! -d "$FT_TRACEFS/instances" ] || ! mkdir "$dir" 2>/dev/null; then
		ft_why_refused "$FT_TRACEFS/instances"
		return 1
	fi
	# A group may be given the top level's files; those of a new instance are the owner's to write.
	if [ -e "$dir/tracing_on" ] && [ ! -w "$dir/tracing_on" ]; then
		rmdir "$dir"
		return 1
	fi
	ft_dir=$dir
	ft_private=1
	if ft_instance_can "$1" "$2"; then
		ft_plain_options
		return
	fi
	if [ -e "$dir/set_ftrace_pid" ]; then ft_pid_lists=1; fi
	rmdir "$dir"
	ft_dir=
	ft_private=
	return 1
}

ft_instance_can() { # NEED PIDS: whether the instance can do NEED, for these PIDS only where there are any
	case $1 in
	events) [ -d "$ft_dir/events" ] ;;
	# Before 3.15 an instance has events only; before 6.11 no function_graph.
	# Between them its tracer's flags can be set at the top level only, and there they are not seen.
	# The top level's set_ftrace_pid does nothing for an instance, and before 4.8 that has none of its own.
	*) ft_tracer_listed "$ft_dir" "$1" && [ -e "$ft_dir/set_ftrace_filter" ] && ft_flags_shown &&
		{ [ -z "$2" ] || [ -e "$ft_dir/set_ftrace_pid" ]; } ;;
	esac
}

ft_plain_options() {
	# A new instance starts with the options of the top level, and not with those of a fresh boot: what
	# somebody set there for their own reading would make our text unreadable or keep events out of it.
	# Written without a look: what an option has already is no change, one that the kernel does not know is refused, and
	# either costs less than to read them.
	local option own=1

	if ! ft_own_options; then own=; fi
	if [ ! -w "$ft_dir/trace_options" ]; then return; fi
	for option in nobin nohex noraw noblock noverbose nostacktrace nouserstacktrace nosym-offset nosym-addr nosym-userobj \
		nolatency-format noprintk-msg-only nodisable_on_free nopause-on-trace norecord-tgid nodisplay-graph \
		print-parent context-info annotate record-cmd overwrite irq-info markers function-trace; do
		if [ -n "$own" ]; then ft_write "$ft_dir/trace_options" "$option" || :; else ft_plain_option "$option"; fi
	done
}

ft_plain_option() { # OPTION: the same at the top level, whose options an instance shares before 4.4: only what differs, and journaled
	local value=1

	case $1 in
	no*)
		value=0
		set -- "${1#no}"
		;;
	esac
	if ft_read_first "$FT_TRACEFS/options/$1" && [ "$ft_value" != "$value" ]; then ft_set_global "options/$1" "$value"; fi
	return 0
}

ft_set() { # FILE VALUE
	# A control file of this session: the instance's own where it has one, else the top level's.
	if [ -n "$ft_private" ] && [ -e "$ft_dir/$1" ]; then
		ft_write "$ft_dir/$1" "$2"
	else
		ft_set_global "$1" "$2"
	fi
}

ft_has() { # FILE: whether this session can write it
	[ -e "$ft_dir/$1" ] || [ -e "$FT_TRACEFS/$1" ]
}

ft_flags_shown() { # whether a tracer's own flags can be seen before it is set (4.4 up)
	[ -e "$FT_TRACEFS/options/func_stack_trace" ]
}

ft_option() { # NAME VALUE(0|1)
	# A trace option by name. Returns 1 when the kernel has no such option.
	if [ -z "$ft_private" ]; then
		case $1 in
		func*) if [ "$1" != function-fork ] && ! ft_flags_shown; then
			ft_late="$ft_late$1 $2
"
			return
		fi ;;
		esac
		ft_set_global "options/$1" "$2"
		return
	fi
	case $1=$2 in
	func_*=1 | func-*=1)
		# Up to 5.10 the function tracer of an instance takes its flags only when they are set under it.
		[ -e "$FT_TRACEFS/options/$1" ] || return 1
		ft_late="$ft_late$1 $2
"
		;;
	func_* | func-* | funcgraph-* | graph-time* | sleep-time*) ft_tracer_flag "$1" "$2" ;;
	*)
		if ft_own_options; then
			[ -e "$ft_dir/options/$1" ] && ft_write "$ft_dir/options/$1" "$2"
		else
			ft_set_global "options/$1" "$2"
		fi
		;;
	esac
}

ft_own_options() { # whether the instance has options of its own (4.4 up); its trace_options sets those of the top level before
	[ -d "$ft_dir/options" ]
}

ft_trace_off() {
	# For an own instance a plain write; at the top level the old value is kept for the undo.
	if [ -n "$ft_private" ]; then
		ft_write "$ft_dir/tracing_on" 0
		return
	fi
	# tracing_enabled, a second switch until about 3.5, stays as it is: its 0 stops the function profiler too, and is a WARNING
	# in the kernel's log by 3.2.
	ft_set_global tracing_on 0
}

ft_trace_on() {
	# Only ever 0 -> 1: a 1 over a 1 empties the buffer under the function tracer on newer kernels.
	if [ -e "$ft_dir/tracing_enabled" ]; then ft_set_global tracing_enabled 1; fi
	ft_read_first "$ft_dir/tracing_on" || :
	if [ "$ft_value" = 1 ]; then return; fi
	if [ -n "$ft_private" ]; then ft_write "$ft_dir/tracing_on" 1; else ft_set_global tracing_on 1; fi
}

ft_late=        # "NAME VALUE" lines: flags that wait for their tracer
ft_set_late() { # once the tracer is set, and tracing still off
	local ft_lines="$ft_late" ft_line name

	ft_late=
	while ft_next_line; do
		name=${ft_line% *}
		if [ -n "$ft_private" ]; then
			ft_tracer_flag "$name" "${ft_line#* }" || ft_die "$FT_EX_KERNEL" "this kernel refuses option $name in an instance"
			continue
		fi
		if ! ft_set_global "options/$name" "${ft_line#* }" && [ "${ft_line#* }" = 1 ]; then
			ft_die "$FT_EX_KERNEL" "this kernel has no option $name"
		fi
	done
}

ft_tracer() { # NAME
	# Sets the tracer; filters and PIDs come before it. Ends with 4 or 1 when refused.
	if ft_set current_tracer "$1"; then
		ft_set_late
		return
	fi
	ft_why_refused "$ft_dir/current_tracer"
	if [ -z "$ft_private" ] && ft_pipe_reader; then
		ft_die "$FT_EX_BUSY" "PID $ft_pid_found has trace_pipe of the top level open ($(ft_cat_line "$FT_PROC/$ft_pid_found/comm"))," \
			'and until it closes that, the kernel changes no tracer there'
	fi
	# Until 5.8 an open trace_pipe counts on the tracer, and all that is at rest shares one.
	if [ -n "$ft_private" ] && [ ! -e "$ft_dir/set_ftrace_notrace_pid" ] && ft_pipe_reader any; then
		ft_die "$FT_EX_BUSY" "PID $ft_pid_found has a trace_pipe open, and until it closes that, this kernel changes no tracer in any instance"
	fi
	ft_die "$FT_EX_FAIL" "the kernel refuses tracer '$1'${ft_private:+ in an instance}"
}

ft_pipe_reader() { # [any] -> $ft_pid_found: who has the top level's trace_pipe open, or any instance's; 1 when nobody is seen
	local line pid=''

	# shellcheck disable=SC2012 # what is wanted is where the links lead
	ft_pid_found=$(ls -l "$FT_PROC"/[0-9]*/fd 2>/dev/null | while read -r line; do
		case $line in
		"$FT_PROC"/*/fd:)
			pid=${line#"$FT_PROC"/}
			pid=${pid%%/*}
			;;
		*/instances/*/trace_pipe)
			if [ -n "${1:-}" ]; then
				printf '%s\n' "$pid"
				break
			fi
			;;
		*' -> '*/trace_pipe)
			printf '%s\n' "$pid"
			break
			;;
		esac
	done)
	[ -n "$ft_pid_found" ]
}

ft_clock() { # [CLOCK]
	# A private instance gets `mono`, so that lines sort across CPUs and match other logs. A clock
	# named by the user must exist; the top level keeps what it has unless one is named.
	local want="${1:-}"

	ft_read_first "$ft_dir/trace_clock" || return 0
	if [ -z "$want" ]; then
		if [ -z "$ft_private" ]; then return; fi
		want=mono
	fi
	case " $ft_value " in
	*" [$want] "*) ;;
	*" $want "*)
		if [ -n "$ft_private" ]; then
			ft_write "$ft_dir/trace_clock" "$want"
			return
		fi
		local old="${ft_value#*\[}"

		ft_guard
		ft_journal_line file trace_clock "${old%%\]*}"
		ft_write "$ft_dir/trace_clock" "$want"
		;;
	*)
		if [ -n "${1:-}" ]; then ft_usage_error "no clock '$1' here: $ft_value"; fi
		;;
	esac
}

ft_buffer() { # KB per CPU
	if ! ft_set buffer_size_kb "$1"; then
		ft_die "$FT_EX_FAIL" "no memory for a buffer of $1 KB a CPU; use a smaller -b"
	fi
}
