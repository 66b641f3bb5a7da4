# shellcheck shell=sh
# kernel.sh - the part of the fake tracefs that reacts: what the kernel does when one of its files is written
# SPDX-License-Identifier: GPL-2.0-only
#
# A folder of plain files does not refuse a name or list a filter. The library writes tracefs in two functions only,
# ft_write and ft_append (lint sees to it), and makes instances with mkdir. fake.sh puts a library in front of the
# commands whose tracefs.sh is the real one with this file after it: these functions take their place. Every other line
# that runs is the toolkit's own. What is written goes to $FAKE/log as well, in order: "FILE<TAB>VALUE".
#
# $FAKE: the fake's folder. FAKE_DENY=1: every write gets EPERM. FAKE_BUSY=1: instances cannot be removed.
# FAKE_NOMEM=KB: a buffer above it gets ENOMEM. FAKE_NOPROBE=GLOB: kprobes on these symbols get EINVAL.
# FAKE_REFUSE="NAME NAME": the filters take no word for these functions, although the kernel lists them.

FK_TOOL=$FAKE/bin # the host's own programs, out of reach of the PATH under test

fk_features() { # the lines of $FAKE/features -> $FK_NAME for each
	local key value

	while read -r key value; do
		case $key in
		unmatched) FK_UNMATCHED=$value ;;
		glob) FK_GLOB=$value ;;
		index) FK_INDEX=$value ;;
		modlater) FK_MODLATER=$value ;;
		graphmax) FK_GRAPHMAX=$value ;;
		pids) FK_PIDS=$value ;;
		flags) FK_FLAGS=$value ;;
		errorlog) FK_ERRORLOG=$value ;;
		suffix) FK_SUFFIX=$value ;;
		esac
	done <"$FAKE/features"
}
fk_features

ft_write() { # FILE VALUE
	case $1 in
	"$FAKE"/sys/*) fk_put new "$1" "$2" ;;
	*) { printf '%s\n' "$2" >"$1"; } 2>/dev/null ;;
	esac
}

ft_append() { # FILE VALUE
	case $1 in
	"$FAKE"/sys/*) fk_put more "$1" "$2" ;;
	*) { printf '%s\n' "$2" >>"$1"; } 2>/dev/null ;;
	esac
}

fk_log() { # FILE VALUE
	printf '%s\t%s\n' "${1#"$FT_TRACEFS"/}" "$2" >>"$FAKE/log"
}

fk_put() { # new|more FILE VALUE: dispatch by file; 1 is a refusal
	local name="${2#"$FT_TRACEFS"/}" top="$FT_TRACEFS"

	fk_log "$2" "$3"
	# tracefs makes no files for open(O_CREAT).
	if [ -n "${FAKE_DENY:-}" ] || [ ! -f "$2" ]; then
		case $name in
		*trace_marker) ;;
		*) return 1 ;;
		esac
	fi
	case $name in
	instances/*/*)
		top=${name#instances/}
		top=$FT_TRACEFS/instances/${top%%/*}
		name=${name#instances/*/}
		;;
	esac
	case $name in
	set_ftrace_filter | set_ftrace_notrace | set_graph_function | set_graph_notrace) fk_filter "$1" "$2" "$3" ;;
	current_tracer) fk_tracer "$top" "$2" "$3" ;;
	trace_clock) fk_clock "$2" "$3" ;;
	set_ftrace_pid | set_ftrace_notrace_pid) fk_pids "$1" "$2" "$3" 'no pid' ;;
	set_event_pid | set_event_notrace_pid) fk_pids "$1" "$2" "$3" '' ;;
	kprobe_events) fk_probe "$1" "$2" "$3" ;;
	events/*/enable | events/enable) fk_enable "$top" "$name" "$3" ;;
	events/*/filter) fk_event_filter "$2" "$3" ;;
	trace_marker) fk_mark "$top" "$3" ;;
	tracing_on | tracing_enabled | options/* | function_profile_enabled)
		case $3 in
		0 | 1) printf '%s\n' "$3" >"$2" ;;
		*) return 1 ;;
		esac
		fk_buffer "$top" "$name"
		;;
	buffer_size_kb)
		[ "$3" -gt 0 ] && [ "$3" -le "${FAKE_NOMEM:-100000000}" ] && printf '%s\n' "$3" >"$2"
		;;
	available_* | events/*/format) return 1 ;;
	trace) ;; # empties the buffer
	*) printf '%s\n' "$3" >"$2" ;;
	esac 2>/dev/null
}

fk_buffer() { # FOLDER SWITCH: what was recorded, at the end of a run ($FAKE/buffer, once)
	# With tracing off the end of trace_pipe is met when the buffer is empty. (Some old kernels have none; here all do.)
	case $2 in
	tracing_on) ;;
	*) return 0 ;;
	esac
	if [ ! -s "$FAKE/buffer" ]; then return 0; fi
	if [ "$(cat "$1/$2")" = 1 ]; then
		# Something is recorded while a tracer or an event is on.
		case $(cat "$1/current_tracer" "$1/set_event" 2>/dev/null) in
		nop | '') ;;
		*) true >"$FAKE/recorded" ;;
		esac
	elif [ -e "$FAKE/recorded" ]; then
		"$FK_TOOL/rm" "$FAKE/recorded"
		fk_entries "$1" 1
		{
			exec >"$1/trace_pipe"
			fk_entries "$1" 0
			exec "$FK_TOOL/cat" "$FAKE/buffer"
		} 2>/dev/null &
	fi
	return 0
}

fk_entries() { # FOLDER COUNT: what per_cpu/cpu0/stats says is unread
	"$FK_TOOL/sed" "s/^entries: .*/entries: $2/" "$1/per_cpu/cpu0/stats" >"$FAKE/stats"
	cat "$FAKE/stats" >"$1/per_cpu/cpu0/stats"
}

fk_filter() { # new|more FILE VALUE
	local rc=0 modules='' name rest max=0

	case $2 in
	*/set_graph_function) if [ "$FK_GRAPHMAX" != no ]; then max=$FK_GRAPHMAX; fi ;;
	esac
	while read -r name rest; do modules="$modules $name"; done <"$FT_PROC/modules"
	# The kernel's parser splits at white space; it prints " [module]" but knows no such word.
	{
		cat "$FT_TRACEFS/available_filter_functions"
		echo --
		if [ "$1" = more ]; then cat "$2"; fi
		echo --
		printf '%s\n' "$3" | "$FK_TOOL/tr" -s ' \t' '\n\n' | "$FK_TOOL/grep" .
	} | "$FK_TOOL/awk" -f "$FAKE/filter.awk" -v unmatched="$FK_UNMATCHED" -v glob="$FK_GLOB" -v index_ok="$FK_INDEX" \
		-v max="$max" -v refuse=" ${FAKE_REFUSE:-} " -v modlater="$FK_MODLATER" -v modules="$modules " -v owners="$FAKE/owners" >"$FAKE/listing" || rc=1
	cat "$FAKE/listing" >"$2"
	return "$rc"
}

fk_tracer() { # FOLDER FILE TRACER
	local flag

	case " $(cat "$1/available_tracers") " in
	*" $3 "*) ;;
	*) return 1 ;;
	esac
	printf '%s\n' "$3" >"$2"
	if [ "$FK_FLAGS" = late ]; then
		# The tracer keeps its flags' values while they cannot be seen.
		for flag in "$1"/options/func_* "$1"/options/funcgraph-*; do
			if [ -e "$flag" ]; then "$FK_TOOL/mv" "$flag" "$FAKE/flags/"; fi
		done
		case $3 in
		function) "$FK_TOOL/mv" "$FAKE"/flags/func_* "$1/options/" ;;
		function_graph) "$FK_TOOL/mv" "$FAKE"/flags/funcgraph-* "$1/options/" ;;
		esac
	fi
}

fk_clock() { # FILE CLOCK
	local word out='' line

	read -r line <"$1"
	case " $line " in
	*" $2 "* | *" [$2] "*) ;;
	*) return 1 ;;
	esac
	set -f
	for word in $line; do
		word=${word#\[}
		word=${word%\]}
		if [ "$word" = "$2" ]; then word="[$word]"; fi
		out="$out${out:+ }$word"
	done
	set +f
	printf '%s\n' "$out" >"$1"
}

fk_pids() { # new|more FILE VALUE EMPTY_READING
	local pid how="$1"

	shift
	case $2 in
	*[!0-9\ -]*) return 1 ;;
	esac
	if [ "$FK_PIDS" = one ]; then
		case $2 in
		'' | *' '*) return 1 ;;
		-*) set -- "$1" '' "$3" ;;
		esac
	fi
	# One a write, and the next beside it: for functions alone.
	if [ "$FK_PIDS$3" = 'eachno pid' ]; then
		case $2 in
		*' '*) return 1 ;;
		esac
		if [ "$how" = more ]; then
			printf '%s\n' "$2" >>"$1"
			return
		fi
	fi
	if [ -z "$2" ]; then
		if [ -n "$3" ]; then printf '%s\n' "$3" >"$1"; else : >"$1"; fi
		return 0
	fi
	for pid in $2; do printf '%s\n' "$pid"; done >"$1"
}

### probes and events

fk_folders() { # the top level and each instance, one a line
	local dir

	printf '%s\n' "$FT_TRACEFS"
	for dir in "$FT_TRACEFS"/instances/*/; do
		if [ -d "$dir/events" ]; then printf '%s\n' "${dir%/}"; fi
	done
}

fk_error() { # WHERE MESSAGE COMMAND BLANKS - a line each of error_log, and the caret under the command
	if [ "$FK_ERRORLOG" = yes ]; then
		printf '[  100.000000] %s: error: %s\n  Command: %s\n           %s^\n' "$1" "$2" "$3" "$4" >>"$FT_TRACEFS/error_log"
	fi
	return 1
}

fk_probe() { # new|more FILE DEFINITION
	local name place dir rest

	if [ "$1" = new ]; then : >"$2"; fi
	case $3 in
	'') return 0 ;;
	-:*)
		fk_delete_probe "$2" "${3#-:}"
		return $?
		;;
	[pr]*:*/*' '*) ;;
	*) fk_error trace_kprobe 'Invalid probe' "$3" '' || return 1 ;;
	esac
	name=${3#*:}
	rest=${name#* }
	name=${name%% *}
	place=${rest%% *}
	# shellcheck disable=SC2254 # a glob is meant
	case $place in
	${FAKE_NOPROBE:-}) return 1 ;;
	esac
	case ${name#*/} in
	*[!A-Za-z0-9_]* | [0-9]* | '') fk_error trace_kprobe 'Event name must follow the same rules as C identifiers' "$3" '  ' || return 1 ;;
	esac
	if [ ${#name} -gt 120 ] || [ -d "$FT_TRACEFS/events/$name" ]; then return 1; fi
	case $place in
	0x*) ;;
	*) if ! fk_symbol "$place"; then fk_error trace_kprobe 'Invalid probed address or symbol' "$3" "$(fk_blanks "${3%%" $place"*} ")" || return 1; fi ;;
	esac
	case $3 in
	*%nosuch*) fk_error trace_kprobe 'Invalid register name' "$3" "$(fk_blanks "${3%%nosuch*}")" || return 1 ;;
	esac
	printf '%s\n' "$3" >>"$2"
	printf '  %-44s %15s %15s\n' "${name#*/}" 0 0 >>"$FT_TRACEFS/kprobe_profile"
	fk_folders | while read -r dir; do
		"$FK_TOOL/mkdir" -p "$dir/events/$name"
		if [ ! -e "$dir/events/${name%/*}/enable" ]; then echo 0 >"$dir/events/${name%/*}/enable"; fi
		echo 0 >"$dir/events/$name/enable"
		echo none >"$dir/events/$name/filter"
		printf 'name: %s\nID: 1999\nformat:\n\tfield:unsigned short common_type;\toffset:0;\n\n\tfield:unsigned long __probe_ip;\toffset:8;\n' \
			"${name#*/}" >"$dir/events/$name/format"
	done
}

fk_blanks() { # TEXT: as many blanks
	printf '%s' "$1" | "$FK_TOOL/tr" -c '' ' '
}

fk_symbol() { # [MODULE:]SYMBOL[+OFFSET]: known to kallsyms, once, or with its module
	local name="${1%%+*}" mod=''

	case $name in
	*:*)
		mod="[${name%%:*}]"
		name=${name#*:}
		;;
	esac
	# shellcheck disable=SC2016 # awk's own
	"$FK_TOOL/awk" -v name="$name" -v mod="$mod" '$3 == name && (mod == "" || $4 == mod) { n++ } END { exit n != 1 }' \
		"$FT_PROC/kallsyms"
}

fk_delete_probe() { # FILE GROUP/NAME: EBUSY while any folder has it on
	local dir

	[ -d "$FT_TRACEFS/events/$2" ] || return 1
	for dir in "$FT_TRACEFS" "$FT_TRACEFS"/instances/*; do
		if [ "$(cat "$dir/events/$2/enable" 2>/dev/null)" = 1 ]; then return 1; fi
	done
	"$FK_TOOL/grep" -v ":$2 " "$1" >"$FAKE/rest"
	cat "$FAKE/rest" >"$1"
	# shellcheck disable=SC2016
	"$FK_TOOL/awk" -v name="${2#*/}" '$1 != name' "$FT_TRACEFS/kprobe_profile" >"$FAKE/rest"
	cat "$FAKE/rest" >"$FT_TRACEFS/kprobe_profile"
	fk_folders | while read -r dir; do
		"$FK_TOOL/rm" -rf "$dir/events/$2"
		set -- "$dir" "$2" "$dir/events/${2%/*}"/*/
		if [ ! -d "$3" ]; then "$FK_TOOL/rm" -rf "$dir/events/${2%/*}"; fi
	done
}

fk_enable() { # FOLDER events/[SYSTEM/[EVENT/]]enable 0|1: the events below, and set_event
	local file event on

	case $3 in
	0 | 1) ;;
	*) return 1 ;;
	esac
	"$FK_TOOL/find" "$1/${2%/enable}" -name enable | while read -r file; do printf '%s\n' "$3" >"$file"; done
	for file in "$1"/events/*/*/enable; do
		on=0
		if [ -e "$file" ]; then read -r on <"$file"; fi
		if [ "$on" = 1 ]; then
			event=${file#"$1"/events/}
			event=${event%/enable}
			printf '%s:%s\n' "${event%/*}" "${event#*/}"
		fi
	done >"$1/set_event"
}

fk_event_filter() { # FILE FILTER: its field names must be in the format
	local field

	case $2 in
	0 | '')
		echo none >"$1"
		return 0
		;;
	esac
	# The first word of each comparison
	field=$(printf '%s\n' "$2" | "$FK_TOOL/sed" 's/[()]/ /g; s/^ *//; s/[ =!<>~&].*//')
	if "$FK_TOOL/grep" -q "[ *]${field}[;[]" "${1%/filter}/format"; then
		printf '%s\n' "$2" >"$1"
		return 0
	fi
	printf '%s\n^\nparse_error: Field not found\n' "$2" >"$1"
	fk_error 'event filter parse error' 'Field not found' "$2" ''
}

fk_mark() { # FOLDER TEXT: trace_marker, as the kernel prints it into the stream
	if [ -p "$1/trace_pipe" ]; then printf 'tracing_mark_write: %s\n' "$2" >"$1/trace_pipe"; fi
}

### instances

mkdir() { # as the program, but an instance is born with its files
	local dir

	for dir; do :; done
	case $dir in
	"$FAKE"/sys/*instances/*)
		fk_log "$dir" mkdir
		if [ -n "${FAKE_DENY:-}" ] || [ -d "$dir" ]; then return 1; fi
		"$FK_TOOL/cp" -R "$FAKE/instance" "$dir" || return 1
		"$FK_TOOL/mkfifo" "$dir/trace_pipe"
		"$FK_TOOL/cp" -R "$FT_TRACEFS"/events/. "$dir/events/"
		fk_enable "$dir" events/enable 0
		: >"$dir/set_event"
		;;
	*) "$FK_TOOL/mkdir" "$@" ;;
	esac
}

rmdir() { # as the program, but an instance goes with its files
	case $1 in
	"$FAKE"/sys/*instances/*)
		fk_log "$1" rmdir
		if [ -n "${FAKE_BUSY:-}" ] || [ ! -d "$1" ]; then return 1; fi
		# A writer that fk_buffer left waiting for a reader would wait for ever: this is one, for a moment.
		if [ -p "$1/trace_pipe" ]; then true <>"$1/trace_pipe"; fi
		"$FK_TOOL/rm" -rf "$1"
		;;
	*) "$FK_TOOL/rmdir" "$@" ;;
	esac
}

mount() { # nothing is mounted on the machine that runs the tests
	fk_log mount "$*"
	return 1
}
