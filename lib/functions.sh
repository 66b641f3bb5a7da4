# functions.sh - the pattern grammar -> filter writes
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: ft_filter, ft_filter_list, ft_filter_count, ft_resolve, ft_pids. Reads
# available_filter_functions at most once a run, and /proc/kallsyms only where the kernel does
# not tell modules. Writes set_ftrace_filter and its like through ft_set.
#
# The grammar, one for every command: GLOB  GLOB:mod:MODULE  :mod:MODULE  MODULE:FUNC  /regex/  /regex/:mod:MODULE
# and !PATTERN  @FILE  "FUNC [MODULE]"; several arguments, or one argument with blanks between. MODULE may be a list, a,b:
# what matches in any of them.

FT_PROGRAMS="$FT_PROGRAMS cat cut grep head"

# In kallsyms where a kprobe on a function is a call from ftrace (CONFIG_KPROBES_ON_FTRACE), and a trap where it is not.
FT_KPROBE_HANDLER=kprobe_ftrace_handler

# What the functions here set, empty until then: the environment may have variables of these names.
FT_LISTING= ft_close= ft_copies= ft_moved= ft_parts= ft_renamed=
ft_kallsyms= ft_nfunc= ft_one_module= ft_path= ft_resolved= ft_sought= ft_text= ft_way= ft_words=

ft_pattern_line() { # WORD: one pattern as a line "SIGN KIND MODULE TEXT" at the end of $ft_lines
	local word="$1" sign=+ kind=glob mod=- text

	case $word in
	!*)
		sign=-
		word=${word#!}
		;;
	esac
	case $word in
	/*/)
		kind=regex
		text=${word#/}
		text=${text%/}
		;;
	*:mod:*)
		text=${word%%:mod:*}
		mod=${word##*:mod:}
		case $text in
		/*/)
			kind=regex
			text=${text#/}
			text=${text%/}
			;;
		esac
		;;
	*:*)
		mod=${word%%:*}
		text=${word#*:}
		;;
	*)
		text=$word
		;;
	esac
	case $mod in
	-) ;;
	*-*) mod=$(ft_underscores "$mod") ;;
	esac
	# BusyBox and others differ in what they take for a bad bracket; names have none of these anyway.
	case $kind$text in
	glob*[!]A-Za-z0-9_.\$*?[!^-]*) ft_die "$FT_EX_USAGE" "not a function pattern: '$1'" ;;
	esac
	case $mod in
	-) ;;
	'' | ,* | *, | *,,* | *[!A-Za-z0-9_*?,]*) ft_die "$FT_EX_USAGE" "not a module name in '$1'" ;;
	esac
	case $sign$kind$mod in
	+glob-) ft_ask "$text" ;;
	*regex*) ft_check_regex "$text" ;;
	esac
	ft_lines="$ft_lines${ft_lines:+
}$sign $kind $mod ${text:-*}"
}

ft_check_regex() { # TEXT: ends with 2 on what one awk would read otherwise than another
	local why

	why=$(printf '%s\n' "$1" | ft_awk_exec regex 2>/dev/null) || why='awk does not take it'
	if [ -n "$why" ]; then ft_die "$FT_EX_USAGE" "not a regular expression that every awk reads alike: '/$1/': $why"; fi
}

ft_underscores() { # NAME: modprobe's dashes are the kernel's underscores
	local rest="$1" out=''

	if [ "$1" = - ]; then
		echo -
		return
	fi
	while :; do
		case $rest in
		*-*)
			out=$out${rest%%-*}_
			rest=${rest#*-}
			;;
		*) break ;;
		esac
	done
	printf '%s\n' "$out$rest"
}

ft_pattern_words() { # ARGUMENT: its words, each through ft_pattern_line
	local word held=''

	case $1 in
	@*)
		ft_pattern_file "${1#@}"
		return
		;;
	esac
	set -f
	# shellcheck disable=SC2086 # a quoted list is split here, with file expansion off
	set -- $1
	set +f
	for word; do
		case $word in
		\[*\])
			# "name [module]", as the kernel prints it
			if [ -n "$held" ]; then
				word=${word#\[}
				ft_pattern_line "$held:mod:${word%\]}"
				held=
				continue
			fi
			;;
		esac
		if [ -n "$held" ]; then ft_pattern_line "$held"; fi
		held=$word
	done
	if [ -n "$held" ]; then ft_pattern_line "$held"; fi
}

ft_pattern_file() { # FILE: one pattern a line, blank lines and # comments skipped
	local line

	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		'' | '#'*) ;;
		@*) ft_die "$FT_EX_USAGE" "$1: a list cannot name another list ('$line')" ;;
		*) ft_pattern_words "$line" ;;
		esac
	done <"$1"
}

ft_check_patterns() { # ARG...: ends with 1 or 2 on what can be seen without the kernel
	local arg some=''

	if [ $# -eq 0 ]; then ft_usage_error 'no function given'; fi
	if [ -z "${ft_awk:-}" ]; then ft_pick_awk; fi
	for arg; do
		case $arg in
		!*) ;;
		*) some=1 ;;
		esac
		case $arg in
		*[!"$IFS"]*) ;;
		*) ft_usage_error 'empty function pattern' ;;
		esac
		case $arg in
		@*) if [ ! -r "${arg#@}" ]; then ft_die "$FT_EX_FAIL" "cannot read ${arg#@}"; fi ;;
		*)
			ft_lines=
			ft_pattern_words "$arg"
			;;
		esac
	done
	if [ -z "$some" ]; then ft_usage_error "'$1' only leaves out; say what to trace as well"; fi
}

ft_parse_patterns() { # ARG... -> $ft_lines: all patterns, normalized, a line each; ends with 2 on a bad one
	local arg

	ft_lines=
	for arg; do ft_pattern_words "$arg"; done
}

ft_pattern_lines() { # ARG...: the same on stdout
	ft_parse_patterns "$@"
	if [ -n "$ft_lines" ]; then printf '%s\n' "$ft_lines"; fi
}

### modules

ft_module_loaded() { # MODULE: whether /proc/modules has it
	local name rest

	# shellcheck disable=SC2034
	while read -r name rest; do
		if [ "$name" = "$1" ]; then return 0; fi
	done 2>/dev/null <"$FT_PROC/modules" # in this order: the second may fail
	return 1
}

ft_no_module() { # MODULE: ends with 7, and the reason where it can be known
	local name rest close=''

	if [ ! -r "$FT_PROC/modules" ]; then
		ft_die "$FT_EX_NOFUNC" "no module '$1': this kernel has no modules (CONFIG_MODULES)"
	fi
	# shellcheck disable=SC2034
	while read -r name rest; do
		case $name in
		*"$1"* | "${1%?}"*) close="$close $name" ;;
		esac
	done <"$FT_PROC/modules"
	if [ -d "/sys/module/$1" ] && [ ! -e "/sys/module/$1/initstate" ]; then
		ft_die "$FT_EX_NOFUNC" "'$1' is built into this kernel, so no function belongs to it as a module;" \
			"use a glob such as '${1}_*'"
	fi
	ft_die "$FT_EX_NOFUNC" "no module '$1' is loaded.${close:+ Close:$close.}"
}

ft_check_modules() { # LINES: every module that is asked for by name must be loaded
	# -> $ft_one_module: the module, when all that is asked for is in a single one
	local ft_lines="$1" ft_line mod line sign

	ft_one_module=
	while ft_next_line; do
		sign=${ft_line%% *}
		line=${ft_line#? }
		line=${line#* }
		mod=${line%% *}
		case $sign$ft_one_module in
		-*) ;;
		+ | "+$mod") ft_one_module=$mod ;;
		*) ft_one_module=- ;;
		esac
		case $mod in
		- | *[\*\?]*) ft_one_module=- ;;
		*,*)
			ft_one_module=-
			while [ -n "$mod" ]; do
				ft_need_module "${mod%%,*}"
				case $mod in
				*,*) mod=${mod#*,} ;;
				*) mod= ;;
				esac
			done
			;;
		*) ft_need_module "$mod" ;;
		esac
	done
	if [ "$ft_one_module" = - ]; then ft_one_module=; fi
}

ft_need_module() { # NAME: ends with 7 when no such module is loaded
	if ! ft_module_loaded "$1"; then ft_no_module "$1"; fi
}

### the filter

ft_native_words() { # LINES -> $ft_words: what the kernel's own matching takes, a line each; 1 if it cannot
	local ft_lines="$1" ft_line line sign mod text

	ft_words=
	while ft_next_line; do
		sign=${ft_line%% *}
		line=${ft_line#? }
		case $line in
		regex*) return 1 ;;
		esac
		line=${line#* }
		mod=${line%% *}
		text=${line#* }
		if ! ft_native_glob "$text"; then return 1; fi
		case $sign$mod in
		+-) ;;
		+*[\*\?,]*) return 1 ;;
		+*)
			text=${text%\*}
			# ":mod:x" and "*:mod:x" are the same; keep a glob's own star.
			if [ -n "$text" ]; then text=${line#* }; fi
			text=$text:mod:$mod
			;;
		--) text=!$text ;;
		*) return 1 ;;
		esac
		ft_words=$ft_words$text"
"
	done
	# Leaving out from nothing would be "trace nothing" at best.
	case $ft_words in
	!*) return 1 ;;
	esac
}

ft_native_glob() { # GLOB: whether the kernel's filters take it for what it is
	# Before 4.10 they know X, X*, *X and *X* only, and silently cut anything else at its second star.
	local text="${1#\*}"

	case ${text%\*} in
	*[*?[]*) ft_readme_has 'glob-matching-pattern' ;;
	esac
}

ft_filter_native() { # FILE: one write for each of $ft_words; 1 when the kernel refuses one
	local ft_lines="$ft_words" ft_line first=1 n=0

	while ft_next_line; do
		if [ -n "$first" ]; then
			ft_set "$1" "$ft_line" || return 1
			first=
		else
			ft_path "$1"
			ft_append "$ft_path" "$ft_line" || return 1
			n=1
		fi
	done
	# Before 2.6.33 a name without a match is accepted in silence, and one of several would not be missed.
	if [ "$n" = 1 ] && ft_append "$ft_path" no_such_function_fieldtrace; then return 1; fi
	return 0
}

ft_path() { # FILE -> $ft_path: where this session has it
	ft_path=$ft_dir/$1
	if [ ! -e "$ft_path" ]; then ft_path=$FT_TRACEFS/$1; fi
}

ft_filter_count() { # FILE -> $ft_nfunc: how many functions the kernel now lists there; 1000 means "or more"
	# No further: the kernel looks up each name as it lists it, which for a large module takes longer
	# than setting the filter did. An empty list reads "#### all functions enabled ####".
	local line n=0

	ft_path "$1"
	# A few are counted without a program.
	while [ "$n" -le 16 ] && read -r line; do
		case $line in
		'####'*) ;;
		*) n=$((n + 1)) ;;
		esac
	done 2>/dev/null <"$ft_path"
	ft_nfunc=$n
	if [ "$n" -le 16 ]; then return; fi
	ft_nfunc=$(head -n 1000 "$ft_path" 2>/dev/null | grep -vc '^####') || ft_nfunc=0
}

ft_filter() { # FILE ARG...
	# Turns patterns into FILE's content, the cheapest way that this kernel takes:
	#   1. its own globs and :mod:, a write each;  2. index numbers, one write (5.1 up);
	#   3. names, and prefixes that only those functions have.  Sets ft_nfunc and ft_way. Ends with 7 when something
	# matches nothing. FIELDTRACE_FILTER, for tests, takes ways away: a list of "index", "names" and "kallsyms".
	local file="$1" lines

	shift
	ft_check_patterns "$@"
	lines=
	case " $* " in
	*' @'*) ;;
	*)
		ft_parse_patterns "$@"
		lines=$ft_lines
		ft_check_modules "$lines"
		;;
	esac
	if [ -n "$lines" ] && [ "${FIELDTRACE_FILTER:-native}" = native ] &&
		ft_native_words "$lines" && ft_filter_native "$file"; then
		ft_way=native
		ft_filter_count "$file"
		if [ "$ft_nfunc" -gt 0 ]; then
			ft_graph_full "$file" "$@"
			return
		fi
	fi
	# One name that the kernel does not know: the names close to it come out of the same reading of the list.
	case $lines in
	*"
"* | *[*?[!/]*) ;;
	'+ glob '?*' '?*) ft_missed=${lines##* } ;;
	esac
	ft_path "$file"
	ft_why_refused "$ft_path"
	ft_filter_resolved "$file" "$@"
}

ft_resolve() { # WANT ARG... -> $ft_resolved: what resolve.awk gives for WANT; $ft_nfunc; $ft_kallsyms
	# One read of available_filter_functions. With WANT "listing" the list goes to the file $FT_LISTING, or to file
	# descriptor 3 when that is empty.
	# Ends with 7 and the close names when a pattern matches nothing, with 9 when the listing cannot be written.
	local want="$1"

	shift
	ft_parse_patterns "$@"
	ft_resolve_lines "$want"
}

ft_told_variant=
ft_missed= # a name that the kernel refused, until the list was read with the names close to it, which ft_near has then
ft_near=
ft_list= # the file of names to choose from; empty: the kernel's list of traceable functions

ft_resolve_lines() { # WANT: the same for the patterns of $ft_lines
	local want="$1" list="${ft_list:-"$FT_TRACEFS/available_filter_functions"}" syms='' force='' symbols="${ft_list:+1}" asked="$ft_lines"

	if [ ! -r "$list" ]; then
		ft_die "$FT_EX_KERNEL" "this kernel has no list of traceable functions: it needs CONFIG_DYNAMIC_FTRACE"
	fi
	# A size says nothing about a file of /proc.
	if [ -z "$symbols" ] && ft_read_first "$FT_PROC/modules"; then syms=$FT_PROC/kallsyms; fi
	case ,${FIELDTRACE_FILTER:-native}, in
	*,kallsyms,*) force=1 ;;
	esac
	ft_sought=
	if [ "$want" != globs ] && [ -z "$force" ]; then ft_fixed_parts; fi
	if [ -n "$ft_sought" ] && [ -n "$ft_missed" ] && [ "$want" != globs ]; then
		ft_close_parts "$ft_missed"
		ft_near=$(grep -F -n -e "$ft_sought${ft_parts:+
$ft_parts}" "$list")
		ft_missed=
		ft_resolved=$(printf '%s\n--\n%s\n' "$ft_lines" "$ft_near" |
			ft_awk_exec resolve -v want="$want" -v symbols="$symbols" -v numbered=1)
	elif [ -n "$ft_sought" ]; then
		ft_resolved=$({
			printf '%s\n--\n' "$ft_lines"
			grep -F -n -e "$ft_sought" "$list"
		} | ft_awk_exec resolve -v want="$want" -v symbols="$symbols" -v numbered=1)
	else
		ft_resolved=$(printf '%s\n--\n' "$ft_lines" |
			ft_awk resolve -v want="$want" -v symbols="$symbols" -v syms="$syms" -v force="$force" - "$list")
	fi
	ft_lines=$asked
	ft_explain_resolved
	if [ -n "$ft_renamed" ]; then
		ft_lines=$ft_renamed
		ft_resolve_lines "$want"
	fi
}

ft_fixed_parts() { # $ft_lines -> $ft_sought: a string a line, one of which is in each line of the list that can matter
	# Empty when there is no such thing, and for a long list: BusyBox awk takes seconds for all lines on a slow CPU, grep a tenth of
	# that, but once for each string.
	local ft_line ft_lines="$ft_lines" text part

	if [ ${#ft_lines} -gt 2000 ]; then return; fi
	while ft_next_line; do
		text=${ft_line#* * * }
		case $ft_line in
		'- '*) continue ;;
		'+ regex - '*) part= ;;
		'+ glob - '*)
			part=${text%%[*?[]*}
			;;
		# The name of the module, in brackets, on all kernels that have instances.
		*) if [ -d "$FT_TRACEFS/instances" ]; then part='['; else part=; fi ;;
		esac
		case $part in
		'[' | ??*) ;;
		*)
			ft_sought=
			return
			;;
		esac
		ft_sought="$ft_sought${ft_sought:+
}$part"
	done
}

ft_explain_resolved() {
	# Reads what resolve.awk says before its list, and leaves the list in $ft_resolved.
	# $ft_renamed: the patterns with other names for what the list does not have by these; empty when there are none.
	local rest="$ft_resolved" line

	ft_nfunc=0
	ft_renamed=
	ft_kallsyms=
	while :; do
		line=${rest%%"
"*}
		case $line in
		'n '*) ft_nfunc=${line#n } ;;
		'= '*)
			line=${line#= }
			if [ "$line" != "$ft_told_variant" ]; then
				ft_note "$ft_tool: '${line%% *}' exists here as ${line#* } only; taking that"
			fi
			ft_told_variant=$line
			;;
		'~ '*)
			line=${line#\~ }
			ft_die "$FT_EX_NOFUNC" "no function is just '${line%% *}' here, but there are: ${line#* }." \
				"Name one, or take all with '${line%% *}*'."
			;;
		'? '*) ft_other_name "${line#? }" || ft_no_match "${line#? }" ;;
		k) ft_kallsyms=1 ;;
		'! '*) ft_listing_failed "${line#! }" ;;
		esac
		case $rest in
		*"
"*) rest=${rest#*"
"} ;;
		*) rest= ;;
		esac
		if [ -z "$rest" ] || [ "$line" = -- ]; then break; fi
	done
	ft_resolved=$rest
	if [ -n "$ft_renamed" ]; then return; fi
	if [ "$ft_nfunc" = 0 ]; then ft_die "$FT_EX_NOFUNC" 'no function is left to trace'; fi
}

ft_listing_failed() { # STATUS of the program that wrote it
	case $1 in
	141 | 269 | 397) exit 141 ;; # its reader had enough
	esac
	if [ -z "${FT_LISTING:-}" ]; then ft_output_failed; fi
	if [ -f "$FT_LISTING" ]; then rm -f "$FT_LISTING"; fi
	ft_die "$FT_EX_OUTPUT" "cannot write $FT_LISTING"
}

ft_copies() { # NAME [variants] -> $ft_copies: where /proc/kallsyms has such a function, or with "variants" also one that the compiler
	# made of it; as symbol_copies.awk says it, empty when nowhere
	ft_copies=
	case $1 in
	'' | *[!A-Za-z0-9_.\$]*) return ;;
	esac
	# A fixed string first: BusyBox grep takes seconds for a pattern on a slow CPU.
	ft_copies=$(grep -F -e " $1" "$FT_PROC/kallsyms" 2>/dev/null | ft_awk_exec symbol_copies -v symbol="$1" -v variants="${2:+1}")
}

ft_is_symbol() { # NAME [variants]: the same as a question
	ft_copies "$@"
	[ -n "$ft_copies" ]
}

ft_other_name() { # NAME: a function may have several names, and the kernel's list has one of them
	# Puts that into $ft_renamed in the place of NAME, and says so; 1 when there is none.
	local patterns="
${ft_renamed:-"$ft_lines"}
"
	local ft_lines ft_line name

	ft_copies "$1"
	case $ft_copies in
	'' | *,* | *hidden*) return 1 ;;
	esac
	name=${ft_copies#" 0x"}
	ft_lines=$(grep -F -e "${name%% *} " "$FT_PROC/kallsyms")
	while ft_next_line; do
		name=${ft_line#* ? }
		name=${name%%[!A-Za-z0-9_.\$]*}
		if [ "$name" = "$1" ] || ! ft_in_list "$name"; then continue; fi
		case $patterns in
		*"
+ glob - $1
"*)
			ft_renamed="${patterns%%"
+ glob - $1
"*}
+ glob - $name
${patterns#*"
+ glob - $1
"}"
			ft_renamed=${ft_renamed#"
"}
			ft_renamed=${ft_renamed%"
"}
			ft_note "$ft_tool: '$1' is the same function as $name; taking that"
			return 0
			;;
		esac
	done
	return 1
}

ft_in_list() { # NAME: whether the kernel's list of traceable functions has it
	case "
$(grep -F -e "$1" "$FT_TRACEFS/available_filter_functions" 2>/dev/null)
" in
	*"
$1
"* | *"
$1 ["*) return 0 ;;
	esac
	return 1
}

ft_no_match() { # PATTERN: ends with 7, and what was meant perhaps
	local name="${1%%:mod:*}"

	if [ "$name" = "$1" ] && [ -z "$ft_list" ] && ft_is_symbol "$1" variants; then
		ft_die "$FT_EX_NOFUNC" "'$1' is in this kernel, but its calls cannot be traced (notrace, or its __init is over)." \
			"Perhaps a probe can: kprobe 'p:$1'"
	fi
	ft_moved "$name"
	ft_close_names "$name"
	ft_join "$ft_close"
	ft_die "$FT_EX_NOFUNC" "no function matches '$1'.${ft_moved:+ Its work is done by $ft_moved here.}${ft_joined:+ Close: $ft_joined.}"
}

ft_close_parts() { # NAME -> $ft_parts: strings, a line each, of which a name close to it has one; empty where that is a lot to ask
	# Two slips leave one part of three as it is, one slip one of two: grep looks for these, for awk takes seconds for all names.
	local head rest size

	ft_parts=
	case $1 in
	??*) ;;
	*) return ;;
	esac
	case $1 in
	*[!A-Za-z0-9_.\$]*) return ;;
	esac
	if [ ${#1} -ge 12 ]; then size=$((${#1} / 3)); else size=$(((${#1} + 1) / 2)); fi
	rest=$1
	while [ ${#rest} -ge "$size" ]; do
		head=$rest
		while [ ${#head} -gt "$size" ]; do head=${head%?}; done
		rest=${rest#"$head"}
		ft_parts="$ft_parts${ft_parts:+
}$head"
	done
	if [ ${#1} -lt 12 ] && [ -n "$rest" ]; then ft_parts="$ft_parts
$rest"; fi
}

ft_close_names() { # NAME -> $ft_close: up to three names, each with a blank before it
	ft_close=
	ft_close_parts "$1"
	if [ -z "$ft_parts" ]; then return; fi
	ft_close=$({
		if [ -n "$ft_near" ]; then
			# Numbered, for resolve.awk.
			printf '%s\n' "$ft_near" | cut -d : -f 2-
		else
			grep -F -e "$ft_parts" "${ft_list:-"$FT_TRACEFS/available_filter_functions"}"
		fi
	} | ft_awk_exec close -v text="$1" -v symbols="${ft_list:+1}")
}

ft_moved() { # NAME -> $ft_moved: the function of this kernel that does what NAME, well known from older ones, did; or empty
	local name was="$1"

	ft_moved=
	case $1 in
	do_sys_open) set -- do_sys_openat2 ;;                                    # 5.6
	do_fork | _do_fork) set -- kernel_clone _do_fork ;;                      # 5.10, 4.2
	bio_alloc) set -- bio_alloc_bioset ;;                                    # 5.18
	generic_make_request) set -- submit_bio_noacct ;;                        # 5.9
	blk_start_request) set -- blk_mq_start_request ;;                        # 5.0
	blk_account_io_completion) set -- blk_account_io_done ;;                 # 5.8
	account_page_dirtied) set -- folio_account_dirtied __folio_mark_dirty ;; # 5.16
	add_to_page_cache_lru) set -- filemap_add_folio ;;                       # 5.16
	mark_page_accessed) set -- folio_mark_accessed ;;                        # 5.16, a wrapper since
	__do_page_cache_readahead) set -- page_cache_ra_unbounded ;;             # 5.8
	do_sync_read) set -- new_sync_read ;;                                    # 4.1
	do_sync_write) set -- new_sync_write ;;                                  # 4.1
	do_execve | do_execve_common) set -- do_execveat_common ;;               # 3.19
	do_page_fault | __do_page_fault) set -- exc_page_fault ;;                # 5.8, x86
	smp_apic_timer_interrupt) set -- sysvec_apic_timer_interrupt ;;          # 5.8, x86
	do_IRQ) set -- common_interrupt ;;                                       # 5.8, x86
	do_filp_open) set -- path_openat ;;
	sys_* | SyS_*)
		# Since 4.17 each architecture has its own entries.
		case $1 in
		sys_*) name=${1#sys_} ;;
		SyS_*) name=${1#SyS_} ;;
		esac
		set -- "__x64_sys_$name" "__arm64_sys_$name" "__riscv_sys_$name" "__s390x_sys_$name" "__ia32_sys_$name"
		;;
	*) return ;;
	esac
	for name; do
		if [ "$name" = "$was" ]; then continue; fi
		case $name in
		*[*?[]*) if grep -q -F -e " ${name%%[*?[]*}" "$FT_PROC/kallsyms" 2>/dev/null; then ft_moved=$name; fi ;;
		*) if ft_is_symbol "$name" variants; then ft_moved=$name; fi ;;
		esac
		if [ -n "$ft_moved" ]; then return; fi
	done
}

ft_ask() { # NAME: remembered for ft_quiet_hint
	if [ ${#ft_asked} -lt 300 ]; then ft_asked="$ft_asked $1"; fi
}

ft_quiet_hint() { # when nothing came: says which of the functions have left their work to others
	local word

	set -f
	for word in $ft_asked; do
		ft_moved "$word"
		if [ -n "$ft_moved" ]; then ft_note "$ft_tool: the work of $word is done by $ft_moved on this kernel"; fi
	done
	set +f
}

ft_filter_resolved() { # FILE ARG...: ways 2 and 3, out of one reading of the kernel's list
	local file="$1" want

	shift
	if ft_takes_index "$file"; then
		ft_resolve index "$@"
		if ! ft_write_resolved "$file" i; then
			ft_die "$FT_EX_REFUSED" "the kernel takes index numbers in $file, but not those of these $ft_nfunc functions"
		fi
		ft_way=index
		return
	fi
	ft_resolve globs "$@"
	want=$ft_nfunc
	case $file in
	set_graph_*)
		if [ "$want" -gt 500 ]; then
			ft_usage_error "$want functions are too many to graph with their children; 'modtrace -g' graphs a module's own"
		fi
		;;
	esac
	ft_write_resolved "$file" f || ft_write_words "$file"
	ft_way=names
	ft_filter_count "$file"
	# It counts to 1000.
	if [ "$ft_nfunc" -lt 1000 ] && [ "$ft_nfunc" -lt "$want" ]; then ft_report_untraced "$file" "$@"; fi
}

ft_graph_full() { # FILE ARG...: before 4.11 the kernel ends in silence at 32 functions to graph
	local file="$1" held="$ft_nfunc"

	shift
	case $file$held in
	set_graph_*32) ft_report_untraced "$file" "$@" ;;
	esac
}

ft_report_untraced() { # FILE ARG...: of what matches, what the kernel did not take into FILE
	# Ends with 8 when one of those was asked for by its name, or when FILE is empty.
	local file="$1" held="$ft_nfunc" missing word named='' why='it lists them, and refuses them there'

	shift
	ft_path "$file"
	ft_resolve names "$@"
	missing=$(printf '%s\n--\n' "$ft_resolved" | ft_awk untraced - "$ft_path")
	case $file$held in
	set_graph_*32) why='it holds no more there' ;;
	esac
	set -f
	for word in $missing; do
		case "
$ft_lines
" in
		*"
+ glob "[!\ ]*" $word
"*) named="$named $word" ;;
		esac
	done
	set +f
	if [ -n "$named" ]; then
		ft_first_words "$named"
		ft_die "$FT_EX_REFUSED" "the kernel does not take $ft_joined into $file: $why"
	fi
	if [ "$held" = 0 ]; then ft_die "$FT_EX_REFUSED" "the kernel takes none of the $ft_nfunc functions that match into $file"; fi
	if [ -n "$missing" ]; then
		ft_first_words "$missing"
		ft_warn "the kernel takes $held of $ft_nfunc functions into $file: $why. Not in it: $ft_joined"
	fi
	ft_nfunc=$held
}

ft_takes_index() { # FILE: whether the kernel takes index numbers there; leaves it with one of them, to be written over
	# Tried, because nothing tells: without them 1 is a name that no function has. Kernels that had no instances yet
	# (before 3.10) had no index numbers either, and the oldest accept such a name in silence.
	case ,${FIELDTRACE_FILTER:-}, in
	*,names,*) return 1 ;;
	esac
	case $1 in
	set_graph_*) return 1 ;; # names only
	esac
	[ -d "$FT_TRACEFS/instances" ] && ft_set "$1" 1
}

ft_write_resolved() { # FILE LETTER: the lines of $ft_resolved that begin with LETTER, a write each; 1 when one is refused
	local ft_lines="$ft_resolved" ft_line first=1

	while ft_next_line; do
		case $ft_line in
		"$2 "*) ;;
		*) continue ;;
		esac
		if [ -n "$first" ]; then
			ft_set "$1" "${ft_line#? }" || return 1
			first=
		else
			ft_path "$1"
			ft_append "$ft_path" "${ft_line#? }" || return 1
		fi
	done
}

ft_first_words() { # WORDS -> $ft_joined: the first 20, and how many more there are
	local word few='' n=0

	set -f
	for word in $1; do
		n=$((n + 1))
		if [ "$n" -le 20 ]; then few="$few $word"; fi
	done
	set +f
	ft_join "$few"
	if [ "$n" -gt 20 ]; then ft_joined="$ft_joined and $((n - 20)) more"; fi
}

ft_write_words() { # FILE: the same for "f" when one is refused: word by word, since the kernel forgets what follows in that line
	local ft_lines="$ft_resolved" ft_line word

	ft_path "$1"
	while ft_next_line; do
		case $ft_line in
		'f '*) ;;
		*) continue ;;
		esac
		set -f
		for word in ${ft_line#f }; do ft_append "$ft_path" "$word" || :; done
		set +f
	done
}

ft_say_functions() { # -> $ft_text: what a banner says: "1 function", "45 functions"
	case ${ft_nfunc:-all} in
	1) ft_text='1 function' ;;
	1000) ft_text='over 1000 functions' ;;
	*) ft_text="${ft_nfunc:-all} functions" ;;
	esac
}

ft_functions_text() { # the same on stdout
	ft_say_functions
	printf '%s\n' "$ft_text"
}
