# probes.sh - probe definitions, by the kernel's grammar
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: ft_is_probe, ft_define_probe, ft_report_missed_probes, ft_warn_traps, ft_entry_probes. Writes kprobe_events; the probes go
# into a group of this run, so that they never meet anybody else's of the same name.
#
# Grammar (Documentation/trace/kprobetrace.rst), with perf-tools' short forms, where the name may be missing:
#   p[:[GROUP/]NAME] [MOD:]SYMBOL[+OFFSET]|ADDRESS [ARG...]     r[N][:[GROUP/]NAME] [MOD:]SYMBOL [ARG...]
#   p:SYMBOL [ARG...]                                           r[N]:SYMBOL [ARG...]

ft_defined= # GROUP:NAME of each probe of this run, blank-separated
ft_told_traps=

# What the functions here set, empty until then: the environment may have variables of these names.
ft_entry= ft_name= ft_symbol= ft_told_string= ft_trimmed= pr_args= pr_command= pr_group= pr_name= pr_other= pr_symbol=
pr_type=

ft_is_probe() { # TEXT: does it begin like a definition?
	case $1 in
	p:* | r:* | 'p '* | 'r '* | r[0-9]*:* | r[0-9]*' '*) return 0 ;;
	esac
	return 1
}

ft_parse_probe() { # TEXT -> $pr_type $pr_group $pr_name $pr_symbol $pr_args; $pr_other: 1 if "NAME SYMBOL" may be "SYMBOL ARG"
	local rest first second

	pr_type=${1%%[: ]*}
	rest=${1#"$pr_type"}
	pr_group=$ft_group
	pr_name=
	pr_args=
	pr_other=
	case $pr_type in
	p | r) ;;
	*[!0-9r]* | ?*r*) ft_usage_error "not a probe definition: '$1' (it starts with p: or r:)" ;;
	esac
	case $rest in
	' '*) rest=": $rest" ;; # no name at all
	esac
	rest=${rest#:}
	first=${rest%%" "*}
	rest=${rest#"$first"}
	ft_trim "$rest"
	rest=$ft_trimmed
	second=${rest%%" "*}
	case $first in
	'' | */*)
		pr_symbol=$second
		pr_name=${first#*/}
		case $first in
		*/*) pr_group=${first%%/*} ;;
		esac
		ft_trim "${rest#"$second"}"
		pr_args=$ft_trimmed
		;;
	*)
		case $second in
		'' | [%\$@+\\-]* | *=*)
			pr_symbol=$first
			pr_args=$rest
			;;
		*)
			# A second bare word: a symbol after a name, or (6.5 up) an argument by its BTF name.
			pr_name=$first
			pr_symbol=$second
			ft_trim "${rest#"$second"}"
			pr_args=$ft_trimmed
			pr_other=1
			;;
		esac
		;;
	esac
	if [ -z "$pr_symbol" ]; then ft_usage_error "no function in the probe definition '$1'"; fi
}

ft_trim() { # TEXT -> $ft_trimmed: without blanks in front
	ft_trimmed=${1#"${1%%[! ]*}"}
}

ft_probe_name() { # TEXT -> $ft_name: fit for an event name (letters, digits, _; not a digit first; below 64), unique in this run
	local rest="$1" out='' n=1

	while :; do
		case $rest in
		*[!A-Za-z0-9_]*)
			out=$out${rest%%[!A-Za-z0-9_]*}_
			rest=${rest#"${rest%%[!A-Za-z0-9_]*}"?}
			;;
		*) break ;;
		esac
	done
	out=$out$rest
	case $out in
	[0-9]*) out=_$out ;;
	esac
	while [ ${#out} -gt 56 ]; do out=${out%?}; done
	ft_name=$out
	while :; do
		case " $ft_defined " in
		*":$ft_name "*) ;;
		*) return ;;
		esac
		n=$((n + 1))
		ft_name=${out}_$n
	done
}

ft_symbol_name() { # SYMBOL -> $ft_symbol: the function's name alone, without module and offset
	ft_symbol=${1#*:}
	ft_symbol=${ft_symbol%%+*}
}

ft_define_probe() { # TEXT
	# Defines one probe, or one a function where the symbol is a glob. Ends with 2, 7 or 8 and the
	# kernel's own words when it refuses. Settings: force.
	ft_check_text 'the probe definition' "$1"
	ft_parse_probe "$1"
	case $pr_symbol in
	*[*?[]*) ft_define_glob ;;
	*)
		ft_ask "$pr_symbol"
		if ft_define; then return; fi
		if [ -n "$pr_other" ] && ft_is_symbol "$pr_name"; then
			pr_args="$pr_symbol${pr_args:+ $pr_args}"
			pr_symbol=$pr_name
			pr_name=
			if ft_define; then return; fi
		fi
		if ft_define_variant; then return; fi
		ft_probe_refused "$1"
		;;
	esac
}

ft_define_variant() { # the parsed probe on what the compiler made of the function, where that alone is there; 1 when the name is there too
	# Ends with 7 and the close names when there is nothing of the kind, or several.
	ft_symbol_name "$pr_symbol"
	case $ft_symbol in
	0x* | [0-9]*) return 1 ;;
	esac
	if ft_is_symbol "$ft_symbol"; then return 1; fi
	if [ -z "$pr_name" ]; then pr_name=$ft_symbol; fi
	ft_list=$FT_PROC/kallsyms
	ft_resolve names "${pr_symbol%%+*}"
	ft_list=
	case $pr_symbol in
	*:*) pr_symbol=${pr_symbol%%:*}:${ft_resolved%%[ :]*}${pr_symbol#"${pr_symbol%%+*}"} ;;
	*) pr_symbol=${ft_resolved%%[ :]*}${pr_symbol#"${pr_symbol%%+*}"} ;;
	esac
	ft_define
}

ft_define() { # the parsed probe; 1 when the kernel refuses
	local name="$pr_name"

	if [ -z "$name" ]; then
		ft_symbol_name "$pr_symbol"
		name=$ft_symbol
		case $name in
		0x* | [0-9]*) name=${pr_type%"${pr_type#?}"}_$name ;;
		esac
	fi
	ft_probe_name "$name"
	pr_command="$pr_type:$pr_group/$ft_name $pr_symbol${pr_args:+ $pr_args}"
	# The kernel would add ours to the event of that name, and delete both at the end (5.4 up).
	if [ -d "$FT_TRACEFS/events/$pr_group/$ft_name" ]; then
		ft_die "$FT_EX_BUSY" "event $pr_group/$ft_name exists and is somebody else's; choose another name"
	fi
	ft_add_probe kprobe_events "$pr_group/$ft_name" "$pr_command" || return 1
	if [ ! -d "$FT_TRACEFS/events/$pr_group/$ft_name" ]; then
		ft_die "$FT_EX_KERNEL" "the kernel took '$pr_command' for something else (rN: needs 4.12)"
	fi
	ft_defined="$ft_defined $pr_group:$ft_name"
	ft_hint_string
	ft_hint_module
}

ft_hint_module() {
	# Newer kernels take a probe on a module that is not loaded, and set it when the module comes.
	case $pr_symbol in
	*:*) if ! ft_module_loaded "${pr_symbol%%:*}"; then
		ft_warn "module '${pr_symbol%%:*}' is not loaded; the probe waits for it"
	fi ;;
	esac
}

ft_hint_string() {
	# What a pointer of a process leads to reads as (fault) or nothing where the kernel tells the two kinds
	# of memory apart. Only a person knows whose pointer it is.
	case $pr_args in
	*'):string'*) ;;
	*) return ;;
	esac
	if [ -n "${ft_told_string:-}" ] || ! ft_readme_has ustring; then return; fi
	ft_told_string=1
	ft_warn "':string' reads the kernel's memory; a string of a process, such as a file name given to open, needs ':ustring'"
}

ft_define_glob() {
	local refused='' name mod glob="$pr_symbol" ft_lines ft_line

	# A probe needs no function to be traceable: where there is no list of these, the names are the kernel's symbols.
	if [ ! -r "$FT_TRACEFS/available_filter_functions" ]; then ft_list=$FT_PROC/kallsyms; fi
	ft_resolve names "$glob"
	ft_list=
	if [ "$ft_nfunc" -gt 200 ] && [ -z "$force" ]; then
		ft_usage_error "'$glob' matches $ft_nfunc functions, more than is wise to probe (200); -F does it anyway"
	fi
	ft_lines=$ft_resolved
	while ft_next_line; do
		name=${ft_line#f }
		mod=
		case $name in
		*' ['*)
			mod=${name#* \[}
			mod=${mod%\]}:
			;;
		esac
		pr_symbol=$mod${name%% *}
		if ! ft_define; then refused="$refused ${name%% *}"; fi
	done
	if [ -n "$refused" ]; then ft_warn "no kprobe possible on:$refused (tracing the others)"; fi
	if [ -z "$ft_defined" ]; then ft_die "$FT_EX_REFUSED" "the kernel takes no probe on any function of '$glob'"; fi
}

ft_probe_refused() { # TEXT: says why, and ends
	ft_why_refused "$FT_TRACEFS/kprobe_events"
	ft_symbol_name "$pr_symbol"
	case $ft_symbol in
	0x* | [0-9]*) ;;
	*)
		ft_copies "$ft_symbol"
		case $ft_copies in
		'') ft_die "$FT_EX_NOFUNC" "no function '$ft_symbol'" ;;
		*,*)
			case $pr_symbol in
			*:*) ;;
			*) ft_die "$FT_EX_NOFUNC" "'$ft_symbol' exists more than once:$ft_copies." \
				'Say which: MODULE:SYMBOL, or the address.' ;;
			esac
			;;
		esac
		;;
	esac
	if ft_last_error "$FT_TRACEFS/error_log"; then
		case $ft_caret in
		*"$pr_group/"*)
			ft_warn "the kernel refuses the probe: $ft_error"
			ft_show_caret
			exit "$FT_EX_REFUSED"
			;;
		esac
	fi
	ft_die "$FT_EX_REFUSED" "the kernel refuses the probe '$1' (as '$pr_command')"
}

ft_report_missed_probes() {
	# kprobe_profile has the lines of kprobe_events in the same order, and without the group.
	local def event hits missed

	while read -r def <&3 && read -r event hits missed <&4; do
		case $def in
		*":$ft_group/$event "*)
			case $missed in
			'' | 0) continue ;;
			esac
			ft_warn "probe $event missed $missed hits$(ft_missed_hint "$def")"
			;;
		esac
	done 3<"$FT_TRACEFS/kprobe_events" 4<"$FT_TRACEFS/kprobe_profile"
}

ft_missed_hint() { # DEFINITION
	case $1 in
	r*) echo ' (too many calls at once: raise N in rN:)' ;;
	*) echo ' (another probe was running on that CPU)' ;;
	esac
}

### what a kprobe is on this machine

ft_probe_traps() { # whether a kprobe at a function's entry is a trap here, on a machine where that may be more than slow
	# x86 takes int3 anywhere; elsewhere (MIPS) a trap in the wrong place brings the kernel down. The kernel's list of symbols
	# is long, so /proc/cpuinfo is asked first: x86 names a vendor_id in its second line, s390 in its first.
	local key rest n=0

	# shellcheck disable=SC2034 # $rest only takes up its columns
	while [ "$n" -lt 2 ] && read -r key rest; do
		if [ "$key" = vendor_id ]; then return 1; fi
		n=$((n + 1))
	done 2>/dev/null <"$FT_PROC/cpuinfo"
	! grep -q -F " $FT_KPROBE_HANDLER" "$FT_PROC/kallsyms" 2>/dev/null
}

ft_warn_traps() { # says so, once a run
	if [ -n "$ft_told_traps" ]; then return; fi
	ft_told_traps=1
	if ft_probe_traps; then
		ft_warn 'a kprobe is a trap on this machine (no KPROBES_ON_FTRACE): on some it brings the kernel down; functrace needs none'
	fi
}

ft_entry_probes() { # -> $ft_entry: ftrace, trap or refused: what a kprobe at a function's entry is here
	# By one trial probe, which is never enabled. The session's names must be set (ft_identify), and kprobe_events be there.
	local symbol

	ft_entry=refused
	for symbol in vfs_read schedule_timeout kernel_halt; do
		if ft_add_probe kprobe_events "$ft_group/ft_try" "p:$ft_group/ft_try $symbol"; then
			ft_delete_probes
			ft_entry='trap'
			if grep -q -F " $FT_KPROBE_HANDLER" "$FT_PROC/kallsyms" 2>/dev/null; then ft_entry=ftrace; fi
			break
		fi
	done
}
