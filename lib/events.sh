# events.sh - PID lists, tracepoints, filters, probe definitions
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: ft_pids, ft_exclude_self, ft_expand_events, ft_event_filter, ft_enable_events,
# ft_event_fields. Touches set_ftrace_pid, set_event_pid and their notrace twins, events/*/*/filter
# and enable, of this session's folder.

FT_PROGRAMS="$FT_PROGRAMS cat ls"

### PIDs

# What the functions here set, empty until then: the environment may have variables of these names.
ft_events= ft_kpid= ft_tids=

ft_kernel_pid() { # PID -> $ft_kpid: the number the kernel knows it by
	# In an inner PID namespace NSpid (proc(5)) lists one number a level, the outermost first. Where
	# only our own level shows, the kernel's number cannot be known.
	local line key first rest

	ft_kpid=$1
	# There all levels are one, and a BusyBox shell takes two system calls for each byte of a line that it reads.
	if ft_initial_pids; then return; fi
	[ -r "$FT_PROC/$1/status" ] || return 0
	while read -r key first rest; do
		case $key in
		NSpid:)
			ft_kpid=$first
			if [ -z "$rest" ]; then ft_check_namespace "$1"; fi
			return
			;;
		esac
	done <"$FT_PROC/$1/status"
}

# The initial PID namespace's fixed number (include/linux/proc_ns.h, PROC_PID_INIT_INO).
FT_INITIAL_PID_NS=4026531836

ft_initial_pids() { # whether /proc shows the initial PID namespace, found without a program: its PID 2 is kthreadd
	local name=''

	{ read -r name <"$FT_PROC/2/comm"; } 2>/dev/null
	[ "$name" = kthreadd ]
}

ft_inner_pids() { # whether /proc says that it shows an inner PID namespace
	case $(ls -l "$FT_PROC/self/ns/pid" 2>/dev/null) in
	*"pid:[$FT_INITIAL_PID_NS]"*) return 1 ;;
	*'pid:['*) return 0 ;;
	esac
	return 1
}

ft_check_namespace() { # PID
	if ! ft_initial_pids && ft_inner_pids; then
		ft_die "$FT_EX_NOPROC" "PID $1 is a number of this container; the kernel knows the process by another one." \
			"Run it on the host."
	fi
}

ft_check_pid() { # OPTION PID: it must be a number, not 0, and alive
	case $2 in
	0) ft_usage_error "$1 0: PID 0 is the idle task of each CPU and cannot be chosen" ;;
	'' | *[!0-9]* | 0* | ??????????*) ft_usage_error "$1 takes a PID, not '$2'" ;;
	esac
	if [ ! -d "$FT_PROC/$2" ]; then ft_die "$FT_EX_NOPROC" "no process $2 ($1)"; fi
}

ft_check_targets() { # PIDS TIDS FOLLOW: what can be said before anything is touched (2, 6)
	local pid

	if [ -n "$1" ] && [ -n "$2" ]; then ft_usage_error 'use -p or -L, not both'; fi
	if [ -n "$3" ] && [ -z "$1$2" ]; then ft_usage_error '-f follows the children of a -p or -L process: name one'; fi
	# Each value stands behind a blank: two in a row, or one at the end, is an empty value.
	case $1 in
	*'  '* | *' ') ft_check_pid -p '' ;;
	esac
	case $2 in
	*'  '* | *' ') ft_check_pid -L '' ;;
	esac
	set -f
	for pid in $1; do ft_check_pid -p "$pid"; done
	for pid in $2; do ft_check_pid -L "$pid"; done
	set +f
}

ft_thread_list() { # PIDS TIDS (each a list with blanks) -> $ft_tids: kernel PIDs of all of them
	local pid dir

	ft_tids=
	for pid in $1; do # no glob: digits, by ft_check_targets
		ft_check_pid -p "$pid"
		for dir in "$FT_PROC/$pid"/task/[0-9]*; do
			if [ -d "$dir" ]; then
				ft_kernel_pid "${dir##*/}"
				ft_tids="$ft_tids $ft_kpid"
			fi
		done
	done
	for pid in $2; do # no glob: digits
		ft_check_pid -L "$pid"
		ft_kernel_pid "$pid"
		ft_tids="$ft_tids $ft_kpid"
	done
	ft_tids=${ft_tids# }
	if [ -z "$ft_tids" ]; then ft_die "$FT_EX_NOPROC" "process $1 is gone"; fi
}

ft_pid_filter() { # KIND(ftrace|event) FOLLOW PIDS TIDS
	# Traces these only, or, when both lists are empty, everything but ourselves. FOLLOW=1 adds
	# children and threads as they start. Threads that start later are not seen otherwise.
	local file="set_$1_pid" fork=event-fork

	if [ "$1" = ftrace ]; then fork=function-fork; fi
	if [ -z "$3$4" ]; then
		ft_exclude_self "$1" "$fork"
		return
	fi
	ft_thread_list "$3" "$4"
	if ! ft_has "$file"; then ft_die "$FT_EX_KERNEL" "this kernel has no $file: -p and -L cannot work"; fi
	if ! ft_set "$file" "$ft_tids"; then ft_set_each_pid "$file"; fi
	if [ "$1" = ftrace ] && [ -z "$ft_private$ft_pid_lists" ] && [ ! -e "$FT_TRACEFS/options/function-fork" ]; then
		# There it is a mark in the task, which a fork copies: children are traced as well, and a later run's too.
		ft_only=$ft_tids
	fi
	if [ "$2" = 1 ] && ! ft_option "$fork" 1; then
		ft_die "$FT_EX_KERNEL" "this kernel cannot follow children (no option $fork; 4.7 up for events, 4.12 for functions)"
	fi
}

ft_set_each_pid() { # FILE: $ft_tids one by one, as kernels before 4.8 want them
	local path="$ft_dir/$1" tid first="${ft_tids%% *}"

	if [ ! -e "$path" ]; then path=$FT_TRACEFS/$1; fi
	if ! ft_set "$1" "$first"; then ft_die "$FT_EX_NOPROC" "the kernel refuses PID $ft_tids in $1"; fi
	for tid in $ft_tids; do # no glob: digits
		if [ "$tid" = "$first" ]; then continue; fi
		# What takes one replaces it by the next: refused or not, what is there tells.
		ft_append "$path" "$tid"
		if ! grep -qx "$tid" "$path" || ! grep -qx "$first" "$path"; then
			ft_die "$FT_EX_KERNEL" "this kernel takes one PID in $1 (several: 2.6.33 up), but there are: $ft_tids; use -L"
		fi
	done
}

ft_pid_events() {
	# The same for events; before 4.4 there is no set_event_pid, and the PIDs go into $filter.
	# Settings: follow, pids, tids, filter.
	local tid by=''

	if [ -z "$pids$tids" ] || ft_has set_event_pid; then
		ft_pid_filter event "$follow" "$pids" "$tids"
		return
	fi
	if [ -n "$follow" ]; then ft_die "$FT_EX_KERNEL" 'this kernel cannot follow children (set_event_pid, 4.4 up)'; fi
	ft_thread_list "$pids" "$tids"
	for tid in $ft_tids; do by="$by${by:+ || }common_pid == $tid"; done # no glob: digits
	filter="${filter:+($filter) && }($by)"
}

ft_exclude_self() { # KIND FORK_OPTION
	# Our own reader must not trace itself: it would feed on its own events without end. With the fork
	# option on, each child of this shell is left out from its first instruction. Kernels before 5.7 cannot do it: $ft_feeds.
	if ! ft_has "set_$1_notrace_pid" || [ ! -e "$FT_TRACEFS/options/$2" ]; then
		ft_feeds=1
		return
	fi
	ft_kernel_pid $$
	ft_set "set_$1_notrace_pid" "$ft_kpid" && ft_option "$2" 1
}

### tracepoints

ft_is_event_word() { # WORD: does it look like an event or a glob of events, and not like a filter?
	case $1 in
	*[!]A-Za-z0-9_:*?[!.-]* | *:*:*) return 1 ;;
	*:*) return 0 ;;
	esac
	return 1
}

ft_check_events() { # PATTERN...: ends with 2 on what can be seen without the kernel
	local pattern

	# A path is made of them: with an empty part, or one that leads elsewhere, it would be a whole system's, or none of an event.
	for pattern; do
		case $pattern in
		:* | *:*:* | */* | .:* | ..:* | *:. | *:..) ft_usage_error "'$pattern' is not SYSTEM:EVENT" ;;
		*:) ft_usage_error "'$pattern' names no event (a whole system is '$pattern*')" ;;
		*:*) ;;
		*) ft_usage_error "'$pattern' is not SYSTEM:EVENT (a whole system is '$pattern:*')" ;;
		esac
	done
}

ft_expand_events() { # PATTERN... -> $ft_events: SYSTEM/EVENT words, each once
	# Globs are expanded here, not by the kernel, so that what is enabled can be told and undone.
	local list

	ft_check_events "$@"
	if ft_exact_events "$@"; then return; fi
	list=$(ft_list_events "$@")
	case $list in
	"? "*) ft_no_event "${list#"? "}" ;;
	*"
? "*) ft_no_event "${list#*"
? "}" ;;
	esac
	ft_events=$list
}

ft_exact_events() { # PATTERN... -> $ft_events: 1 unless each is the name of one event, and a different one
	# The usual case, for which the kernel's list of thousands need not be read.
	local pattern

	ft_events=
	for pattern; do
		case $pattern in
		*[*?[]*) return 1 ;;
		esac
		case "
$ft_events
" in
		*"
$pattern
"*) return 1 ;;
		esac
		[ -e "${ft_dir:-"$FT_TRACEFS"}/events/${pattern%%:*}/${pattern#*:}/enable" ] || return 1
		ft_events="$ft_events${ft_events:+
}$pattern"
	done
}

ft_list_events() { # [PATTERN...]: matching events, SYSTEM:EVENT a line, in order; "? PATTERN" for each that matches none
	local pattern

	{
		for pattern; do printf '%s\n' "$pattern"; done
		echo --
		cat "$ft_dir/available_events" 2>/dev/null || cat "$FT_TRACEFS/available_events"
	} | ft_awk events
}

ft_no_event() { # LINES: the first "PATTERN" line, and perhaps "c EVENT..." after it
	local name close=''

	name=${1%%"
"*}
	case $1 in
	"$name
c "*)
		close=${1#*"
c "}
		close=${close%%"
"*}
		;;
	esac
	ft_die "$FT_EX_NOFUNC" "no event '$name'.${close:+ Close: $(ft_commas "$close").} ('tpoint -l' lists them)"
}

ft_event_fields() { # SYSTEM:EVENT: the field names of its format, on one line
	local line out=''

	while read -r line; do
		case $line in
		field:*' common_'*) ;;
		# A string of any length can be compared; other such fields cannot.
		field:*'char[] '*)
			line=${line%%;*}
			out="$out ${line##* }"
			;;
		field:*'[]'*) ;;
		field:*)
			line=${line%%;*}
			line=${line%%\[*}
			out="$out ${line##* }"
			;;
		esac
	done <"$ft_dir/events/${1%%:*}/${1#*:}/format"
	printf '%s\n' "${out# }"
}

ft_caret_to_word() {
	# $ft_caret: the kernel points behind an unknown field; the reader looks for its beginning.
	local before word caret='' text

	text=${ft_caret%%
*}
	before=$text
	word=${ft_caret#*
}
	word=${word%^}
	while [ ${#before} -gt ${#word} ]; do before=${before%?}; done
	before=${before%"${before##*[! ]}"}
	word=${before##*[!A-Za-z0-9_]}
	before=${before%"$word"}
	while [ ${#caret} -lt ${#before} ]; do caret="$caret "; done
	if [ -n "$word" ]; then
		ft_caret="$text
$caret^"
	fi
}

ft_event_filter() { # SYSTEM:EVENT FILTER
	# Set and checked while the event is off: a refused filter leaves the kernel passing everything.
	local dir="events/${1%%:*}/${1#*:}" log="$ft_dir/error_log"

	# Read back: a filter that is gone again would let everything pass.
	if ft_set "$dir/filter" "$2"; then
		case $(cat "$ft_dir/$dir/filter") in
		"$2") return ;;
		'' | none | *parse_error:*) ;;
		*) return ;;
		esac
	fi
	ft_why_refused "$ft_dir/$dir/filter"
	if [ ! -r "$log" ]; then log=$FT_TRACEFS/error_log; fi
	ft_write "$ft_dir/$dir/filter" 0
	if ft_last_error "$log"; then
		ft_warn "the kernel refuses the filter for $1: $ft_error"
		case $ft_error in
		[Ff]ield\ not\ found*) ft_caret_to_word ;;
		esac
		ft_show_caret
	else
		ft_warn "the kernel refuses the filter for $1: $2"
	fi
	ft_note "  fields: $(ft_event_fields "$1")"
	exit "$FT_EX_REFUSED"
}

ft_enable_event() { # SYSTEM:EVENT
	if ft_set "events/${1%%:*}/${1#*:}/enable" 1; then return; fi
	ft_why_refused "$ft_dir/events/${1%%:*}/${1#*:}/enable"
	ft_die "$FT_EX_FAIL" "the kernel refuses to enable event $1"
}
