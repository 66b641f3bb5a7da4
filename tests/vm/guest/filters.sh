# shellcheck shell=sh
# filters.sh - for cases about patterns: which functions a run has in its filter; source streaming.sh before it
# SPDX-License-Identifier: GPL-2.0-only

# module_functions MODULE ERE - its functions that match, sorted, by the kernel's own list
module_functions() {
	mawk -v module="[$1]" '$2 == module { print $1 }' "$TRACEFS/available_filter_functions" | grep -E -e "$2" | sort
}

# functions_of TOOL - what the running TOOL has in its instance's filter, sorted, without modules
functions_of() {
	mawk '!/^#/ { print $1 }' "$TRACEFS/instances/ft.$1."*/set_ftrace_filter | sort
}

# filter_is WAY "FUNC..." PATTERN... - do the patterns give exactly these functions? WAY: the way to the filter that is
# forced, or empty. Starts funccount for it, and ends it.
filter_is() {
	local way want
	way=$1 want=$2
	shift 2
	: >err
	[ ! "$way" ] || export FIELDTRACE_FILTER="$way"
	ft_bg funccount -v -e trace "$@" >out 2>err
	unset FIELDTRACE_FILTER
	started funccount
	# shellcheck disable=SC2086 # a word a line
	is "filter of $* ${way:+by $way}" "$(functions_of funccount)" "$(printf '%s\n' $want | sort)"
	case $way in
	'') ;;
	kallsyms) err_has 'filter by index, modules from /proc/kallsyms' ;;
	*) err_has "filter by $way\)" ;;
	esac
	finish
}

# opens WAY 'COMMAND ARG...' - is the kernel's list of functions opened at most once in the run? How often, in $opened.
opens() {
	local what tool
	what="$2 by $1"
	FIELDTRACE_FILTER=$1
	export FIELDTRACE_FILTER
	# shellcheck disable=SC2086 # words
	set -- $2
	tool=$1
	shift
	PATH=$CASE_PATH /usr/bin/strace -f -qq -e trace=open,openat -o opens "$CASE_SHELL" "$FTDIR/bin/$tool" "$@" >out 2>err
	unset FIELDTRACE_FILTER
	opened=$(grep -c 'available_filter_functions"' opens)
	num_between "$what: openings of available_filter_functions" "$opened" 0 1
}
