# functions.sh - the pattern grammar -> filter writes
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: ft_filter, ft_filter_list, ft_filter_count, ft_resolve, ft_pids. Reads
# available_filter_functions at most once a run, and /proc/kallsyms only where the kernel does
# not tell modules. Writes set_ftrace_filter and its like through ft_set.
#
# The grammar, one for every command: GLOB  GLOB:mod:MODULE  :mod:MODULE  MODULE:FUNC  /regex/  /regex/:mod:MODULE
# and !PATTERN  @FILE  "FUNC [MODULE]"; several arguments, or one argument with blanks between.

ft_pattern_line() { # WORD: one pattern as "SIGN KIND MODULE TEXT" on stdout
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
	*-*) mod=$(ft_underscores "$mod") ;;
	esac
	# BusyBox and others differ in what they take for a bad bracket; names have none of these anyway.
	case $kind$text in
	glob*[!]A-Za-z0-9_.\$*?[!^-]*) ft_die "$FT_EX_USAGE" "not a function pattern: '$1'" ;;
	esac
	case $mod in
	-) ;;
	'' | *[!A-Za-z0-9_*?]*) ft_die "$FT_EX_USAGE" "not a module name in '$1'" ;;
	esac
	printf '%s %s %s %s\n' "$sign" "$kind" "$mod" "${text:-*}"
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
	/*/ | !/*/)
		ft_pattern_line "$1"
		return
		;;
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

ft_check_patterns() { # ARG...: ends with 2 or 7 on what can be seen without the kernel
	local arg

	if [ $# -eq 0 ]; then ft_usage_error 'no function given'; fi
	for arg; do
		case $arg in
		'' | ' ') ft_usage_error 'empty function pattern' ;;
		@*) if [ ! -r "${arg#@}" ]; then ft_die "$FT_EX_FAIL" "cannot read ${arg#@}"; fi ;;
		esac
	done
}

ft_pattern_lines() { # ARG...: all patterns, normalized, on stdout
	local arg

	for arg; do ft_pattern_words "$arg"; done
}

### modules

ft_module_loaded() { # MODULE: whether /proc/modules has it
	local name rest

	# shellcheck disable=SC2034
	while read -r name rest; do
		if [ "$name" = "$1" ]; then return 0; fi
	done <"$FT_PROC/modules" 2>/dev/null
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
	local sign kind mod text rest="$1" line

	while [ -n "$rest" ]; do
		line=${rest%%"
"*}
		case $rest in
		*"
"*) rest=${rest#*"
"} ;;
		*) rest= ;;
		esac
		line=${line#? }
		line=${line#* }
		mod=${line%% *}
		case $mod in
		- | *[\*\?]*) ;;
		*) if ! ft_module_loaded "$mod"; then ft_no_module "$mod"; fi ;;
		esac
	done
}

### the filter

ft_native_words() { # LINES -> $ft_words: what the kernel's own matching takes, a line each; 1 if it cannot
	local rest="$1" line sign mod text

	ft_words=
	while [ -n "$rest" ]; do
		line=${rest%%"
"*}
		case $rest in
		*"
"*) rest=${rest#*"
"} ;;
		*) rest= ;;
		esac
		sign=${line%% *}
		line=${line#? }
		case $line in
		regex*) return 1 ;;
		esac
		line=${line#* }
		mod=${line%% *}
		text=${line#* }
		case $sign$mod in
		+-) ;;
		+*[\*\?]*) return 1 ;;
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

ft_filter_native() { # FILE: one write for each of $ft_words; 1 when the kernel refuses one
	local rest="$ft_words" word first=1

	while [ -n "$rest" ]; do
		word=${rest%%"
"*}
		rest=${rest#*"
"}
		if [ -n "$first" ]; then
			ft_set "$1" "$word" || return 1
			first=
		else
			ft_append "$(ft_path "$1")" "$word" || return 1
		fi
	done
}

ft_path() { # FILE: where this session has it
	if [ -e "$ft_dir/$1" ]; then printf '%s\n' "$ft_dir/$1"; else printf '%s\n' "$FT_TRACEFS/$1"; fi
}

ft_filter_count() { # FILE -> $ft_nfunc: how many functions the kernel now lists there
	local path

	path=$(ft_path "$1")
	# An empty list reads "#### all functions enabled ####".
	ft_nfunc=$(grep -vc '^####' "$path" 2>/dev/null) || ft_nfunc=0
}

ft_filter() { # FILE ARG...
	# Turns patterns into FILE's content, the cheapest way that this kernel takes:
	#   1. its own globs and :mod:, a write each;  2. index numbers, one write (5.1 up);
	#   3. names.  Sets ft_nfunc and ft_way. Ends with 7 when something matches nothing.
	local file="$1" lines

	shift
	ft_check_patterns "$@"
	lines=
	case " $* " in
	*' @'*) ;;
	*)
		lines=$(ft_pattern_lines "$@") || exit
		ft_check_modules "$lines"
		;;
	esac
	if [ -n "$lines" ] && [ "${FIELDTRACE_FILTER:-native}" = native ] &&
		ft_native_words "$lines" && ft_filter_native "$file"; then
		ft_way=native
		ft_filter_count "$file"
		if [ "$ft_nfunc" -gt 0 ]; then return; fi
	fi
	ft_why_refused "$(ft_path "$file")"
	ft_filter_resolved "$file" "$@"
}

ft_resolve() { # WANT ARG... -> $ft_resolved: resolve.awk's output
	# One read of available_filter_functions. WANT: index or names. Ends with 7 and the close names.
	local want="$1" list="$FT_TRACEFS/available_filter_functions" syms='' kallsyms=''

	shift
	if [ ! -r "$list" ]; then
		ft_die "$FT_EX_KERNEL" "this kernel has no list of traceable functions: it needs CONFIG_DYNAMIC_FTRACE"
	fi
	if ft_list_without_modules "$list"; then
		syms=1
		kallsyms=$FT_PROC/kallsyms
	fi
	ft_resolved=$(
		{
			ft_pattern_lines "$@" || exit
			echo --
		} | ft_awk resolve -v want="$want" -v syms="$syms" -v near=1 - ${kallsyms:+"$kallsyms"} "$list"
	)
	ft_explain_resolved
}

ft_list_without_modules() { # LIST: modules are loaded, and yet no line names one
	[ -s "$FT_PROC/modules" ] || return 1
	[ "${FIELDTRACE_FILTER:-native}" = kallsyms ] || ! grep -q '\[' "$1"
}

ft_explain_resolved() {
	# Ends with 7 when a pattern matched nothing; says which compiler variant was taken.
	local rest="$ft_resolved" line missing='' close=''

	ft_nfunc=0
	while :; do
		line=${rest%%"
"*}
		case $line in
		'n '*) ft_nfunc=${line#n } ;;
		'= '*)
			line=${line#= }
			ft_note "$ft_tool: '${line%% *}' exists here as ${line#* } only; taking that"
			;;
		'~ '*)
			line=${line#\~ }
			ft_die "$FT_EX_NOFUNC" "no function is just '${line%% *}' here, but there are: ${line#* }." \
				"Name one, or take all with '${line%% *}*'."
			;;
		'? '*) missing=${missing:-"${line#? }"} ;;
		'c '*) close=${close:-"${line#c }"} ;;
		*) break ;;
		esac
		case $rest in
		*"
"*) rest=${rest#*"
"} ;;
		*) break ;;
		esac
	done
	ft_resolved=$rest
	if [ -n "$missing" ]; then
		ft_die "$FT_EX_NOFUNC" "no function matches '$missing'.${close:+ Close: $(ft_commas "$close").}"
	fi
	if [ "$ft_nfunc" = 0 ]; then ft_die "$FT_EX_NOFUNC" 'no function is left to trace'; fi
}

ft_commas() { # "A B C": "A, B, C"
	local word out=''

	for word in $1; do out="$out${out:+, }$word"; done
	printf '%s\n' "$out"
}

ft_filter_resolved() { # FILE ARG...: ways 2 and 3
	local file="$1" want="$ft_nfunc"

	shift
	case $file in
	set_graph_*) ;;
	*)
		if [ "${FIELDTRACE_FILTER:-native}" != names ]; then
			ft_resolve index "$@"
			want=$ft_nfunc
			if ft_set "$file" "${ft_resolved#i }"; then
				ft_way=index
				ft_filter_count "$file"
				if [ "$ft_nfunc" = "$want" ]; then return; fi
			fi
		fi
		;;
	esac
	ft_resolve names "$@"
	want=$ft_nfunc
	case $file in
	set_graph_*)
		# A walk over the kernel's whole list for each name.
		if [ "$want" -gt 500 ]; then
			ft_usage_error "$want functions are too many to graph with their children; 'modtrace -g' graphs a module's own"
		fi
		;;
	esac
	ft_set "$file" "$(ft_names)" || :
	ft_way=names
	ft_filter_count "$file"
	if [ "$ft_nfunc" = 0 ]; then
		ft_die "$FT_EX_NOFUNC" "the kernel takes none of the $want functions that match into $file"
	fi
}

ft_names() {
	# The plain names out of $ft_resolved; the kernel prints " [module]" but does not read it.
	local rest="$ft_resolved" line

	while [ -n "$rest" ]; do
		line=${rest%%"
"*}
		line=${line#f }
		printf '%s\n' "${line%% *}"
		case $rest in
		*"
"*) rest=${rest#*"
"} ;;
		*) rest= ;;
		esac
	done
}

ft_listing() {
	# $ft_resolved as the kernel's own list has it: "NAME [MODULE]", a line each. Fails when stdout does.
	local rest="$ft_resolved" line

	while [ -n "$rest" ]; do
		line=${rest%%"
"*}
		printf '%s\n' "${line#f }" || return
		case $rest in
		*"
"*) rest=${rest#*"
"} ;;
		*) rest= ;;
		esac
	done
}

ft_functions_text() { # what a banner says: "1 function", "45 functions"
	case ${ft_nfunc:-all} in
	1) echo '1 function' ;;
	*) echo "${ft_nfunc:-all} functions" ;;
	esac
}
