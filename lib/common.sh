# common.sh - messages, exit codes, option checks, numbers, awk
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: FT_EX_* exit codes, ft_note ft_warn ft_die, ft_usage_error, ft_check_* for option
# values, ft_ms and ft_now_ms for time, ft_sleep, ft_join, ft_need_programs, ft_awk. Touches no tracefs file.

# The exit codes of every command. fieldtrace(7) and each page refer to this table.
FT_EX_FAIL=1       # failed
FT_EX_USAGE=2      # usage
FT_EX_PERM=3       # not permitted (the message names lockdown where it is the reason)
FT_EX_KERNEL=4     # the kernel lacks it (the message names the CONFIG option)
FT_EX_BUSY=5       # in use (the message names who)
FT_EX_NOPROC=6     # no such process
FT_EX_NOFUNC=7     # no such function, event or module
FT_EX_REFUSED=8    # definition or filter refused (shown with the kernel's caret)
FT_EX_OUTPUT=9     # output failed
FT_EX_NOTRACEFS=11 # no tracefs

# The programs that the parts that were loaded need always; each part adds its own.
FT_PROGRAMS='sleep'

FT_PROC=${FIELDTRACE_PROC:-/proc}
ft_tool=${0##*/}

# What the functions here set, empty until then: the environment may have variables of these names.
ft_awk= ft_awk_live= ft_before_sleep= ft_joined= ft_lines= ft_ms= ft_now= ft_now_base= ft_pid= ft_sleep_pid= ft_sleep_told=
ft_sleep_whole=

ft_asked= # the first names and globs that were asked for, blank-separated

# What the options of a command say: its main() sets them.
all= anyway= backend= buffer= clock= crash_region= depth= duration= engine= filter= flags= follow= force= format= graph=
hardware= headers= interval= last= leave_out= memtype= module_file= output= patterns= pids= quiet= slower= stacks=
stamp= state= tids= top= tracer= verbose= view= wait=

# mksh has no printf built in, and BusyBox' program says 0 when its write is refused: there `print` writes.
if [ -n "${KSH_VERSION:-}" ] && [ "$(command -v print)" = print ]; then
	printf() {
		local text

		case $1 in
		'%s\n')
			shift
			for text; do print -r -- "$text" || return 1; done
			;;
		*)
			# The dot keeps the newlines at the end.
			text=$(command printf "$@" && echo .) || return 1
			print -rn -- "${text%.}"
			;;
		esac
	}
fi

ft_note() { # TEXT...
	# What a person wants to know and a pipe does not. A closed stderr is no reason to fail.
	printf '%s\n' "$*" >&2 2>/dev/null || :
}

ft_warn() { # TEXT...
	ft_note "$ft_tool: $*"
}

ft_die() { # CODE TEXT...
	# Says what, why and what to do, and ends; the EXIT trap undoes what was set up.
	local code="$1"

	shift
	ft_note "$ft_tool: $*"
	exit "$code"
}

ft_usage_error() { # TEXT...
	ft_die "$FT_EX_USAGE" "$* ($ft_tool -h shows the usage)"
}

ft_next_line() { # -> $ft_line: takes the first line off $ft_lines; 1 when there is none
	# Who calls it makes both local: then loops may call each other. An argument would be a copy of the text for each line.
	if [ -z "$ft_lines" ]; then return 1; fi
	ft_line=${ft_lines%%"
"*}
	case $ft_lines in
	*"
"*) ft_lines=${ft_lines#*"
"} ;;
	*) ft_lines= ;;
	esac
}

# shellcheck disable=SC2120 # called with a status from other files
ft_output_failed() { # [STATUS]: of the program that wrote, where it was one
	# Ends with 9 and one message; quietly where a reader had enough. The shells' own messages about it are dropped
	# where they are made: they come even then, once SIGPIPE is trapped. Above 255: how yash and ksh report a signal.
	case ${1:-} in
	141 | 269 | 397) exit 141 ;;
	esac
	if [ -n "${ft_signal:-}" ]; then ft_end; fi
	ft_die "$FT_EX_OUTPUT" 'cannot write to stdout (no space left, or closed)'
}

ft_help() { # TEXT
	# -h: the whole help on stdout, exit 0. A help that cannot be written is an output failure.
	printf '%s\n' "$1" 2>/dev/null || ft_output_failed "$?"
	exit 0
}

ft_bad_option() { # OPT OPTARG: for the ':' and '?' arms of a getopts with a leading colon
	case $1 in
	:) ft_usage_error "-$2 needs a value" ;;
	*) ft_usage_error "unknown option -$2" ;;
	esac
}

ft_check_seconds() { # OPTION VALUE
	# Seconds above 0, with or without a fraction of up to three digits. A leading zero is refused
	# ("08" is octal to some shells and a typing error to most people). The upper bound keeps
	# milliseconds inside the 32-bit arithmetic of mksh.
	local int frac

	case $2 in
	*.*)
		int=${2%%.*}
		frac=${2#*.}
		;;
	*)
		int=$2
		frac=0
		;;
	esac
	case $int in
	'' | *[!0-9]* | 0[0-9]* | ????????*) ft_usage_error "$1 takes seconds above 0, like 5 or 0.5, not '$2'" ;;
	esac
	case $frac in
	'' | *[!0-9]* | ????*) ft_usage_error "$1 takes seconds above 0, like 5 or 0.5, not '$2'" ;;
	esac
	case $int$frac in
	*[1-9]*) ;;
	*) ft_usage_error "$1 takes seconds above 0, like 5 or 0.5, not '$2'" ;;
	esac
	if [ "$int" -gt 2000000 ]; then
		ft_usage_error "$1 takes at most 2000000 seconds, not '$2'"
	fi
}

ft_check_count() { # OPTION VALUE [MAX]
	# A whole number from 1 to MAX (default 999999999), without a leading zero.
	case $2 in
	'' | *[!0-9]* | 0* | ??????????*) ft_usage_error "$1 takes a whole number above 0, not '$2'" ;;
	esac
	if [ -n "${3:-}" ] && [ "$2" -gt "$3" ]; then
		ft_usage_error "$1 takes a whole number from 1 to $3, not '$2'"
	fi
}

ft_check_text() { # WHAT VALUE
	# Text that goes into a tracefs file as one line. A newline would be a second command there.
	case $2 in
	'') ft_usage_error "$1 is empty" ;;
	*'
'*) ft_usage_error "$1 holds a newline" ;;
	esac
}

ft_ms() { # SECONDS -> $ft_ms: milliseconds (the value has passed ft_check_seconds)
	local frac

	ft_ms=${1%%.*}000
	case $1 in
	*.*)
		frac=${1#*.}
		case $frac in
		?) frac=${frac}00 ;;
		??) frac=${frac}0 ;;
		esac
		# A leading zero would make it octal.
		ft_ms=$((${1%%.*} * 1000 + 1$frac - 1000))
		;;
	esac
}

ft_now_ms() { # -> $ft_now: milliseconds since the first call, in steps of 10
	# /proc/uptime, since `date +%N` does not exist on most targets. Counted from the first call,
	# so that 32-bit shell arithmetic does not overflow on a machine that has been up for weeks.
	local up frac rest

	read -r up rest <"$FT_PROC/uptime" || return 1
	frac=${up#*.}
	up=${up%%.*}
	: "${ft_now_base:=$up}"
	ft_now=$(((up - ft_now_base) * 1000 + (1${frac} - 100) * 10))
}

ft_no_ctrl_c() { # in a reader, before its exec: Ctrl-C at the terminal is the command's alone
	# POSIX wants INT and QUIT ignored in what runs in the background, but bash and mksh do not do it once INT is trapped.
	trap '' INT QUIT
}

ft_started() { # -> $ft_pid: the command that was just started in the background
	# $! is another one when a signal came right after the start: its trap starts a nudge (ft_on_signal).
	ft_pid=$!
	if [ "$ft_pid" = "${ft_nudge:-}" ]; then ft_pid=$ft_before_nudge; fi
}

ft_kill() { # PID: ends a child of ours. KILL, because TERM is lost on one that has not got as far as its exec.
	kill -9 "$1" 2>/dev/null
	wait "$1" 2>/dev/null || :
}

ft_start_loop() { # COMMAND [ARG...] -> $!: a function in the background that sleeps (ft_loop_sleep) and may be ended before its time
	{
		trap '' INT QUIT
		# shellcheck disable=SC2030,SC2031 # for the trap of this very subshell
		ft_before_sleep=$!
		trap ft_loop_over TERM
		"$@"
	} >/dev/null &
}

ft_loop_over() { # the end of such a one, with the sleep it is in
	# bash would tell of it.
	exec 2>/dev/null
	# shellcheck disable=SC2031
	if [ "$!" != "$ft_before_sleep" ]; then kill -9 "$!"; fi
	exit 0
}

ft_loop_sleep() { # SECONDS; 1 when sleep does not take them
	# Where it is killed, as what a dead run left is, some shells would tell.
	{ exec sleep "$1" 2>/dev/null; } &
	wait "$!" 2>/dev/null
}

ft_end_loop() { # PID: of ft_start_loop
	# TERM, for it to end its sleep. It is lost on a shell that has just been forked, hence more than once.
	local tries=0

	while [ "$tries" -lt 200 ] && kill -TERM "$1" 2>/dev/null && ft_start_time "$1"; do tries=$((tries + 1)); done
	ft_kill "$1"
}

ft_sleep() { # MILLISECONDS
	# Sleeps in the background and waits, since a shell acts on a signal at once only inside `wait`.
	# Returns non-zero when a signal cut it short. Where sleep knows whole seconds only (BusyBox
	# without FANCY_SLEEP) the time is rounded up and that is said once.
	local rc

	if [ "$1" -le 0 ]; then return 0; fi
	ft_sleep_once "$1" && return
	rc=$?
	# Refused and not cut short: it takes no fraction.
	if [ "$rc" -le 128 ] && [ -z "${ft_signal:-}${ft_sleep_whole:-}" ]; then
		ft_sleep_whole=1
		ft_sleep_once "$1" && return
		rc=$?
	fi
	return "$rc"
}

ft_sleep_once() { # MILLISECONDS
	local seconds rc=0

	if [ -z "${ft_sleep_whole:-}" ]; then
		seconds=$((1000 + $1 % 1000))
		seconds=$(($1 / 1000)).${seconds#1}
	else
		seconds=$((($1 + 999) / 1000))
		if [ $((seconds * 1000)) -ne "$1" ] && [ -z "${ft_sleep_told:-}" ] && [ "$1" -gt 500 ]; then
			ft_sleep_told=1
			ft_warn "sleep takes whole seconds only here; waiting $seconds s"
		fi
	fi
	{ exec sleep "$seconds" 2>/dev/null; } &
	ft_started
	ft_sleep_pid=$ft_pid
	# A signal that came since the caller last looked must not be slept over.
	if [ -n "${ft_signal:-}" ]; then rc=1; else wait "$ft_sleep_pid" || rc=$?; fi
	if [ "$rc" -ne 0 ]; then ft_kill "$ft_sleep_pid"; fi
	ft_sleep_pid=
	return "$rc"
}

ft_join() { # "A B C" -> $ft_joined: "A, B, C"
	local word

	ft_joined=
	set -f
	for word in $1; do ft_joined="$ft_joined${ft_joined:+, }$word"; done
	set +f
}

ft_commas() { # "A B C": the same on stdout
	ft_join "$1"
	printf '%s\n' "$ft_joined"
}

ft_need_programs() {
	# Ends with 127 and the names of what is not on the PATH, before anything is touched: a pipeline that lacks one
	# would print less than there is and end with 0.
	local program missing=''

	for program in $FT_PROGRAMS; do
		case "$missing " in
		*" $program "*) continue ;;
		esac
		if ! command -v "$program" >/dev/null 2>&1; then missing="$missing $program"; fi
	done
	if [ -n "$missing" ]; then ft_die 127 "not on the PATH:$missing"; fi
}

ft_pick_awk() {
	# $ft_awk: the awk to use; $FIELDTRACE_AWK wins. $ft_awk_live: its option for reading a live
	# stream: mawk reads a pipe in blocks unless told otherwise, and the others know no such option.
	ft_awk=${FIELDTRACE_AWK:-awk}
	ft_awk_live=
	if ! command -v "$ft_awk" >/dev/null 2>&1; then
		ft_die 127 "awk not found: '$ft_awk' is not on the PATH (set FIELDTRACE_AWK)"
	fi
}

ft_awk_probe_live() {
	case $("$ft_awk" -W version 2>&1 </dev/null) in
	mawk*) ft_awk_live='-W interactive' ;;
	esac
}

ft_awk_exec() { # PROGRAM [ARG...]
	# Replaces the current process (use it inside { ...; } & or a subshell) by awk running
	# PROGRAM.awk of this folder, with the shared functions of common.awk before it.
	local name="$1"

	if [ -n "${FT_BUNDLE:-}" ]; then ft_bundle_exec "$@"; fi
	shift
	# shellcheck disable=SC2086 # no glob: an option and its value, or nothing
	exec "$ft_awk" $ft_awk_live -f "$FT_LIB/common.awk" -f "$FT_LIB/$name.awk" "$@"
}

ft_awk() { # PROGRAM [ARG...]
	# The same as a child. For a stream use ft_awk_exec in the background: a shell in wait hears signals.
	(ft_awk_exec "$@")
}
