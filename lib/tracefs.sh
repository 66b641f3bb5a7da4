# tracefs.sh - find or mount tracefs, probe features, write control files
# SPDX-License-Identifier: GPL-2.0-only
#
# The undo calls these from the EXIT trap, where a bare `return` gives the status from before the trap in some shells.
# Offers: ft_find_tracefs, ft_need_tracefs, ft_write, ft_append, ft_read_first, ft_explain_refusal,
# ft_last_error, ft_readme_has, ft_lockdown. Touches the mount table and whatever file it is told to.

FT_PROGRAMS="$FT_PROGRAMS head dd"

FT_TRACEFS= # set by ft_find_tracefs
ft_how=     # set by ft_write_how

# What the functions here set, empty until then: the environment may have variables of these names.
ft_caret= ft_decoded= ft_error= ft_lockdown= ft_value=

ft_decode_mount() { # PATH -> $ft_decoded
	# The mount table writes blank, tab, newline and backslash as three octal digits (proc(5)).
	local rest="$1"

	ft_decoded=
	while :; do
		case $rest in
		*\\*)
			ft_decoded=$ft_decoded${rest%%\\*}
			rest=${rest#*\\}
			;;
		*)
			ft_decoded=$ft_decoded$rest
			return 0
			;;
		esac
		case $rest in
		040*) ft_decoded="$ft_decoded " ;;
		011*) ft_decoded="$ft_decoded	" ;;
		012*) ft_decoded="$ft_decoded
" ;;
		134*) ft_decoded="$ft_decoded\\" ;;
		*)
			ft_decoded="$ft_decoded\\"
			continue
			;;
		esac
		rest=${rest#???}
	done
}

ft_find_tracefs() {
	# Sets $FT_TRACEFS from $FIELDTRACE_TRACEFS or the mount table, by file system *type*: the
	# source column may say anything. tracefs wins over debugfs, since touching debugfs/tracing
	# mounts a second tracefs and from 6.17 on writes a warning to the kernel log.
	# Returns 1 when nothing of the kind is mounted.
	local device dir type rest debugfs=

	if [ -n "${FIELDTRACE_TRACEFS:-}" ]; then
		FT_TRACEFS=$FIELDTRACE_TRACEFS
		return 0
	fi
	# The usual place first: whatever is there with this file in it is tracefs, and the table is long on some machines.
	FT_TRACEFS=/sys/kernel/tracing
	if [ "$FT_PROC" = /proc ] && [ -e "$FT_TRACEFS/trace" ]; then return 0; fi
	FT_TRACEFS=
	# $device and $rest only take up their columns.
	# shellcheck disable=SC2034
	while read -r device dir type rest; do
		case $type in
		tracefs)
			ft_decode_mount "$dir"
			FT_TRACEFS=$ft_decoded
			return 0
			;;
		debugfs) debugfs=${debugfs:-$dir} ;;
		esac
	done <"$FT_PROC/mounts"
	if [ -n "$debugfs" ]; then
		ft_decode_mount "$debugfs"
		if [ -d "$ft_decoded/tracing" ]; then
			FT_TRACEFS=$ft_decoded/tracing
			return 0
		fi
	fi
	return 1
}

ft_mount_tracefs() {
	# Mounts tracefs where the kernel keeps a place for it, or debugfs on kernels before 4.1.
	# It stays mounted (somebody may use it by then), and that is said.
	if [ -d /sys/kernel/tracing ] && mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; then
		FT_TRACEFS=/sys/kernel/tracing
	elif [ -d /sys/kernel/debug ] && mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null; then
		FT_TRACEFS=/sys/kernel/debug/tracing
	else
		return 1
	fi
	ft_warn "mounted tracefs on $FT_TRACEFS"
}

ft_lockdown() { # -> $ft_lockdown: none, integrity, confidentiality, or empty when unknown
	local modes='' dir="${FIELDTRACE_SECURITYFS:-/sys/kernel/security}"

	ft_lockdown=
	if [ -r "$dir/lockdown" ]; then read -r modes <"$dir/lockdown" || :; fi
	case $modes in
	*\[*\]*)
		modes=${modes#*\[}
		ft_lockdown=${modes%%\]*}
		;;
	esac
	if [ -z "$ft_lockdown" ]; then
		# securityfs is often not mounted; the boot line tells what was asked for.
		case " $(ft_cat_line "$FT_PROC/cmdline") " in
		*' lockdown=confidentiality '*) ft_lockdown=confidentiality ;;
		*' lockdown=integrity '*) ft_lockdown=integrity ;;
		esac
	fi
}

ft_cat_line() { # FILE: its first line on stdout, nothing when it cannot be read
	local line=

	if [ -r "$1" ]; then { IFS= read -r line <"$1"; } 2>/dev/null || :; fi
	printf '%s\n' "$line"
}

ft_read_first() { # FILE -> $ft_value: its first line; returns 1 when it cannot be read
	ft_value=
	case $1 in
	*/filter)
		# An event's filter gives all it has to the first read, and a shell reads a byte at a time.
		[ -e "$1" ] && ft_value=$(head -n 1 "$1" 2>/dev/null)
		return $?
		;;
	esac
	[ -e "$1" ] && { IFS= read -r ft_value <"$1" || [ -n "$ft_value" ]; } 2>/dev/null
}

ft_deny() { # WHAT
	# Not permitted: says by what. Asking for uid 0 would be wrong: since 5.16 a group may own tracefs.
	ft_lockdown
	case $ft_lockdown in
	confidentiality)
		ft_die "$FT_EX_PERM" "$1: the kernel is locked down (confidentiality) and closes tracefs." \
			"Boot without lockdown=confidentiality to trace."
		;;
	esac
	ft_die "$FT_EX_PERM" "$1: permission denied. Run it as root, or with group access to tracefs" \
		"(mount option gid=). Lockdown is ${ft_lockdown:-unknown}."
}

ft_need_tracefs() {
	# Finds tracefs or ends: 11 when there is none, 3 when it is closed to us, 127 when a program is missing.
	ft_need_programs
	if ! ft_find_tracefs && ! ft_mount_tracefs; then
		case $(ft_cat_line "$FT_PROC/version") in
		Linux*) ;;
		*) ft_die "$FT_EX_NOTRACEFS" "no tracefs: this works on Linux only" ;;
		esac
		ft_die "$FT_EX_NOTRACEFS" "no tracefs is mounted. As root: mount -t tracefs tracefs /sys/kernel/tracing" \
			"(kernels before 4.1: mount -t debugfs debugfs /sys/kernel/debug)"
	fi
	if [ -e "$FT_TRACEFS/trace" ]; then
		if [ ! -w "$FT_TRACEFS/trace" ]; then ft_deny "$FT_TRACEFS"; fi
		return
	fi
	if [ -d "$FT_TRACEFS" ] && [ ! -x "$FT_TRACEFS" ]; then ft_deny "$FT_TRACEFS"; fi
	ft_lockdown
	ft_die "$FT_EX_NOTRACEFS" "$FT_TRACEFS is empty: not mounted or locked down" \
		"(lockdown is ${ft_lockdown:-unknown})"
}

ft_write_how() { # -> $ft_how: echo, dd or printf, the form of ft_line that is one write() here
	# musl's stdio writes what was printed and the newline as two pieces, or an empty one behind both, and a kernel
	# looks at each piece by itself: the value is refused, or replaced by nothing. BusyBox's echo has its own buffer.
	local file

	ft_how="printf"
	for file in /lib/ld-musl-*; do
		if [ -e "$file" ]; then ft_how="dd"; fi
	done
	# ash alone leaves a backslash alone, beside bash.
	# shellcheck disable=SC2028,SC2116,SC3037 # that is the question
	if [ -z "${BASH_VERSION:-}" ] && [ "$(echo '\n')" = '\n' ]; then ft_how="echo"; fi
}

ft_line() { # VALUE: it and a newline on stdout, in one write()
	if [ -z "$ft_how" ]; then ft_write_how; fi
	case $ft_how$1 in
	# What echo could take for an option.
	echo-[neE]* | dd*) printf '%s\n' "$1" | dd ibs=4096 obs=65536 2>/dev/null ;;
	echo*) echo "$1" ;;
	*) printf '%s\n' "$1" ;;
	esac
}

ft_write() { # FILE VALUE
	# Writes VALUE and a newline over FILE (opened with O_TRUNC, so a filter is emptied first), in one write().
	# Returns non-zero when the kernel refuses. The newline matters: a last word without one is
	# only looked at on close, where the error is lost (fs/tracefs, trace_get_user).
	{ ft_line "$2" >"$1"; } 2>/dev/null
}

ft_append() { # FILE VALUE: the same, added to what is there
	{ ft_line "$2" >>"$1"; } 2>/dev/null
}

ft_why_refused() { # FILE
	# Ends with 3 if FILE cannot be written because of rights or lockdown; returns otherwise.
	if [ -e "$1" ] && [ ! -w "$1" ]; then ft_deny "$1"; fi
	ft_lockdown
	if [ "$ft_lockdown" = confidentiality ]; then ft_deny "$1"; fi
}

ft_last_error() { # ERROR_LOG -> $ft_error: the last entry's message; $ft_caret: its command and caret lines
	# Format (kernel/trace/trace.c, tracing_log_err, 5.2 up): "[time] where: error: message", then
	# "  Command: text", then a line with the caret. Returns 1 when there is no such file or entry.
	local line='' prefix

	ft_error=
	ft_caret=
	if [ ! -r "$1" ]; then return 1; fi
	while IFS= read -r line; do
		case $line in
		\[*']'*': error: '*)
			ft_error=${line#*: error: }
			ft_caret=
			;;
		'  Command: '*) ft_caret=${line#  Command: } ;;
		*^*)
			prefix='           '
			ft_caret="$ft_caret
${line#"$prefix"}"
			;;
		esac
	done <"$1"
	[ -n "$ft_error" ]
}

ft_show_caret() {
	# $ft_caret on stderr, indented, so that the caret stays under its place.
	local rest="$ft_caret"

	while :; do
		case $rest in
		*"
"*) ft_note "    ${rest%%"
"*}" ;;
		*)
			ft_note "    $rest"
			return
			;;
		esac
		rest=${rest#*"
"}
	done
}

ft_readme_has() { # TEXT
	# Whether the kernel's own tracefs README mentions TEXT: the cheapest probe for syntax.
	local line

	if [ ! -r "$FT_TRACEFS/README" ]; then return 1; fi
	while IFS= read -r line; do
		case $line in
		*"$1"*) return 0 ;;
		esac
	done <"$FT_TRACEFS/README"
	return 1
}
