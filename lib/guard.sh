# guard.sh - the top level for one run at a time: state folder, lock, journal, and what goes back
# SPDX-License-Identifier: GPL-2.0-only
#
# Part of session.sh, which loads it when one of its functions is called: a run in an instance of its own needs none of them.
# What undoes a change is here beside what makes it, so that no undo has to be loaded when it is due.
# Touches the state folder, and at the top level only what is journaled first.

# What the functions here set, empty until then: the environment may have variables of these names.
ft_told_state= ft_uid=

ft_state_ok() { # DIR: a folder of ours, mode 0700, not a link
	local mode links owner rest

	if [ -h "$1" ] || [ ! -d "$1" ]; then return 1; fi
	# shellcheck disable=SC2034,SC2046
	set -- $(ls -ldn "$1" 2>/dev/null)
	case $1 in
	drwx------*) ;;
	*) return 1 ;;
	esac
	case $3 in
	"${ft_uid:=$(id -u 2>/dev/null)}") ;;
	*) return 1 ;;
	esac
}

ft_state_try() { # DIR -> $ft_state
	if [ ! -e "$1" ] && [ ! -h "$1" ]; then
		if ! mkdir -m 700 "$1" 2>/dev/null; then return 1; fi
	fi
	if [ -h "$1" ]; then
		ft_die "$FT_EX_BUSY" "$1 is a link, and a state folder never is: somebody planted it. Remove it."
	fi
	if ! ft_state_ok "$1" || [ ! -w "$1" ]; then return 1; fi
	ft_state=$1
}

ft_need_state() {
	# $ft_state: where lock and journal live. Returns 1 when nothing is writable (read-only root).
	if [ -n "${ft_state:-}" ]; then return 0; fi
	ft_state=
	ft_state_dirs ft_state_try
}

ft_take_lock() { # NAME
	# mkdir is atomic everywhere. A dead owner's lock is taken over after its undo is finished;
	# a live one's is respected: exit 5 with its name.
	local lock="$ft_state/$1.lock" tries=0

	while ! mkdir -m 700 "$lock" 2>/dev/null; do
		if [ -h "$lock" ] || { [ -e "$lock" ] && [ ! -d "$lock" ]; }; then
			ft_die "$FT_EX_BUSY" "$lock is not a folder of ours; remove it"
		fi
		# A run that ended removed the folder, which was empty.
		if [ ! -d "$ft_state" ]; then mkdir -m 700 "$ft_state" 2>/dev/null; fi
		ft_lock_owner "$lock"
		set -f
		# shellcheck disable=SC2086 # fields
		set -- $1 $ft_owner
		set +f
		if [ $# -ge 4 ]; then
			if ft_alive "$2" "$3"; then
				ft_die "$FT_EX_BUSY" "the top level of the tracer is in use by $4 (PID $2); wait for it or end it"
			fi
			ft_warn "taking over from $4 (PID $2), which is gone"
			ft_clean_run "$2" "$3"
		else
			# Between its mkdir and the line in it; or a run that died just there.
			tries=$((tries + 1))
			if [ "$tries" -gt 60 ]; then ft_remove_lock "$lock"; fi
			ft_sleep 50 || :
		fi
		set -- "$1"
	done
	ft_lock=$lock
	if ! ft_write "$lock/owner" "$$ ${ft_id#*.} $ft_tool"; then
		ft_die "$FT_EX_FAIL" "cannot write $lock/owner: no space left?"
	fi
}

ft_remove_lock() { # LOCK
	rm -f "$1/owner" 2>/dev/null
	rmdir "$1" 2>/dev/null
}

ft_journal_line() { # KIND WORD TEXT: remember for the undo, on disk before the change itself
	ft_journal="$1 $2 $3
$ft_journal"
	if [ -z "$ft_journal_file" ]; then
		if ! ft_need_state; then return; fi
		ft_journal_file=$ft_state/journal.$ft_id
	fi
	if ft_append "$ft_journal_file" "$1 $2 $3"; then return 0; fi
	# A run that ended removed the folder, which was empty.
	mkdir -m 700 "$ft_state" 2>/dev/null
	if ! ft_append "$ft_journal_file" "$1 $2 $3"; then
		ft_die "$FT_EX_FAIL" "cannot write the journal $ft_journal_file: no space left? Nothing was changed."
	fi
}

ft_default_text() { # VALUE -> $ft_value: what to write to get that reading back
	# These files show a sentence when they are empty.
	case $1 in
	'#### '*' ####' | 'no pid') ft_value= ;;
	none) ft_value=0 ;;                    # an event's filter
	*' (expanded: '*) ft_value=${1%% *} ;; # buffer_size_kb before its first use
	*) ft_value=$1 ;;
	esac
}

ft_put_back() { # FILE VALUE: the top level's; the kernels before 2.6.33 clear set_ftrace_pid by -1 only
	if ft_write "$FT_TRACEFS/$1" "$2"; then return 0; fi
	case $1=$2 in
	set_ftrace_pid=) ft_write "$FT_TRACEFS/$1" -1 ;;
	*) return 1 ;;
	esac
}

ft_undo_line() { # KIND WORD TEXT
	case $1 in
	file)
		# A list of PIDs that have all ended reads as nothing, which is not what "no pid" was.
		ft_read_first "$FT_TRACEFS/$2" || [ -e "$FT_TRACEFS/$2" ] || return 1
		# The same reading needs no write, and a second 1 in tracing_on would empty the buffer.
		if [ "$ft_value" != "$3" ]; then
			ft_default_text "$3"
			ft_put_back "$2" "$ft_value"
		fi
		;;
	option) ft_write "$FT_TRACEFS/trace_options" "$2" ;;
	sysctl) ft_write "$FT_PROC/sys/kernel/$2" "$3" ;;
	probe) ft_append "$FT_TRACEFS/$2" "-:$3" ;;
	esac
}

ft_stop_tracer() {
	# The top level's, for the undo. While somebody has trace_pipe open that is refused, and then the filters must stay.
	local tries=0

	until ft_write "$FT_TRACEFS/current_tracer" nop; do
		tries=$((tries + 1))
		if [ "$tries" -gt 20 ]; then
			ft_warn "cannot stop the tracer at the top level: somebody has its trace_pipe open; the filters stay until then"
			return 1
		fi
		sleep 0.05 2>/dev/null || sleep 1
	done
}

ft_busy_top() {
	# $ft_busy: what somebody else has going on at the top level, empty when all is at rest.
	local file

	ft_busy=
	if ft_read_first "$FT_TRACEFS/current_tracer" && [ "$ft_value" != nop ]; then
		ft_busy="tracer '$ft_value' is active"
		return
	fi
	if ft_read_first "$FT_TRACEFS/function_profile_enabled" && [ "$ft_value" != 0 ]; then
		ft_busy='the function profiler is on'
		return
	fi
	if ft_read_first "$FT_TRACEFS/set_event" && [ -n "$ft_value" ]; then
		ft_busy="event $ft_value is enabled"
		return
	fi
	for file in set_ftrace_filter set_ftrace_notrace set_graph_function set_graph_notrace set_ftrace_pid \
		set_ftrace_notrace_pid; do
		ft_read_first "$FT_TRACEFS/$file" || continue
		case $ft_value in
		'' | '#### '*' ####' | 'no pid') ;;
		*)
			ft_busy="$file is set ('$ft_value')"
			return
			;;
		esac
	done
}

ft_odd_options() { # -> $ft_busy: a trace option at the top level that makes the text unreadable for us
	local line

	ft_busy=
	while read -r line; do
		case $line in
		bin | hex | raw | verbose | nocontext-info | stacktrace)
			ft_busy="trace option '$line' is set"
			return
			;;
		esac
	done <"$FT_TRACEFS/trace_options"
}

ft_guard() {
	# Takes the top level for this run: the lock among fieldtrace runs, then a look for everybody else.
	# Ends with 5 and the reason when it is taken.
	if [ -n "$ft_guarded" ]; then return; fi
	if ft_need_state; then
		ft_take_lock top
	elif [ -z "${ft_told_state:-}" ]; then
		ft_told_state=1
		ft_warn 'no writable place for a lock and a journal (set FIELDTRACE_STATE): going on without'
	fi
	"$ft_busy_check"
	if [ -z "$ft_busy" ] && [ -z "$ft_private" ] && [ -r "$FT_TRACEFS/trace_options" ]; then ft_odd_options; fi
	if [ -n "$ft_busy" ]; then
		ft_die "$FT_EX_BUSY" "somebody else is tracing at the top level: $ft_busy." \
			"This kernel cannot do '$ft_tool' beside it; wait, or see 'reset-ftrace -n'."
	fi
	ft_guarded=1
}

ft_set_global() { # FILE VALUE
	# A top-level file, its old value journaled first, under the guard. Returns 1 when refused.
	if [ ! -e "$FT_TRACEFS/$1" ]; then return 1; fi
	ft_guard
	ft_read_first "$FT_TRACEFS/$1" || :
	if [ "$ft_value" = "$2" ]; then return; fi
	case "
$ft_journal" in
	*"
file $1 "*) ;; # what it held at first is what goes back
	*) ft_journal_line file "$1" "$ft_value" ;;
	esac
	ft_write "$FT_TRACEFS/$1" "$2"
}

ft_tracer_flag() { # NAME VALUE
	# A tracer's own flag. Up to 6.18 all instances and the top level share one
	# copy of it, later each has its own: nothing tells which but the top level's reading before and
	# after. So that reading is journaled first, and when it moves, the guard is needed.
	local top own="$ft_dir/options/$1" default=0

	case $1 in
	funcgraph-cpu | funcgraph-duration | funcgraph-overhead | graph-time | sleep-time) default=1 ;;
	esac
	ft_read_first "$FT_TRACEFS/options/$1" || return 1
	top=$ft_value
	if [ ! -e "$own" ]; then own=$FT_TRACEFS/options/$1; fi
	ft_read_first "$own"
	if [ "$ft_value" = "$2" ]; then
		# A new instance that does not read the default shares the flag with whoever set it.
		if [ "$2" != "$default" ]; then ft_guard; fi
		return 0
	fi
	if [ "$ft_value" != "$default" ]; then ft_guard; fi
	ft_journal_line file "options/$1" "$top"
	ft_write "$own" "$2" || return 1
	ft_read_first "$FT_TRACEFS/options/$1"
	if [ "$ft_value" != "$top" ]; then ft_guard; fi
}
