# stale.sh - finishes the undo of runs that are gone
# SPDX-License-Identifier: GPL-2.0-only
#
# Part of session.sh, whose ft_clean_stale finds them and loads it. Touches what such a run left: its children, instance, probes,
# and at the top level what its journal names.

ft_load guard

ft_clean_run() { # PID START: finish the undo of a dead run: its children, instance, probes, top level
	local dir

	ft_kill_children "$1.$2"
	for dir in "$FT_TRACEFS"/instances/ft.*".$1.$2"; do
		if [ -d "$dir" ]; then ft_quiet_instance "$dir"; fi
	done
	ft_delete_group "ft_$1_$2"
	for dir in "$FT_TRACEFS"/instances/ft.*".$1.$2"; do
		if [ ! -d "$dir" ]; then continue; fi
		if ! rmdir "$dir" 2>/dev/null; then
			ft_sleep 100 || :
			rmdir "$dir" 2>/dev/null || ft_warn "cannot remove $dir: somebody has a file open in it"
		fi
	done
	ft_state_dirs ft_state_existing || return 0
	ft_claim "$ft_state_found/undo.$1.$2" || return 0
	ft_undo_dead "$1" "$2"
	rmdir "$ft_state_found/undo.$1.$2" 2>/dev/null
	# Gone when it is empty, as after a run that ended by itself; our own run may still need it.
	if [ -z "${ft_state:-}" ]; then rmdir "$ft_state_found" 2>/dev/null; fi
	return 0
}

ft_claim() { # FOLDER: makes it, which one run at a time can; 1 when there is no place for it
	# Two that undo for the same dead run would both write what it found, the second one over the settings of whoever
	# has taken the top level since. Whoever still has the folder after some seconds died at it.
	local tries=0

	while ! mkdir -m 700 "$1" 2>/dev/null; do
		if [ ! -d "${1%/*}" ] || [ "$tries" -gt 60 ]; then break; fi
		tries=$((tries + 1))
		ft_sleep 50 || :
	done
	[ -d "$1" ]
}

ft_undo_dead() { # PID START: its journal, then its lock: until that is gone nobody has the top level
	local file="$ft_state_found/journal.$1.$2" lock="$ft_state_found/top.lock" kind word text saved="$ft_journal"

	if [ -f "$file" ] && [ ! -h "$file" ]; then
		ft_journal=
		while read -r kind word text; do
			if [ "$kind" = child ]; then
				if ft_alive "$word" "$text"; then kill -9 "$word" 2>/dev/null; fi
				continue
			fi
			ft_journal="$kind $word $text
$ft_journal"
		done <"$file"
		# What could not be undone stays for the next run, and the lock with it.
		if ! ft_undo_journal; then
			ft_journal=$saved
			return
		fi
		ft_journal=$saved
		rm -f "$file"
	fi
	ft_lock_owner "$lock"
	case $ft_owner in
	"$1 $2 "*) ft_remove_lock "$lock" ;;
	esac
}

ft_kill_children() { # ID: end what a dead run left behind
	# Its children carry FIELDTRACE_RUN=ID, and its readers have its trace_pipe as their stdin (nobody
	# else's has; a BusyBox shell runs some applets without exec, and then the environment is the old one).
	local line pid

	# shellcheck disable=SC2010 # what is wanted is where the links lead
	{
		# The whole value: run 7.1234 is not run 7.12345, which may be alive. A zero byte ends it, to some greps the line.
		grep -lE "(^|[^A-Za-z0-9_])FIELDTRACE_RUN=${1%.*}[.]${1#*.}([^0-9.]|\$)" "$FT_PROC"/[0-9]*/environ
		ls -l "$FT_PROC"/[0-9]*/fd/0 | grep "/instances/ft[.][^/]*[.]$1/trace_pipe"
	} 2>/dev/null | while read -r line; do
		line=${line#*"$FT_PROC"/}
		pid=${line%%/*}
		case $pid in
		*[!0-9]* | '' | "$$") ;;
		*) kill -9 "$pid" 2>/dev/null ;;
		esac
	done
}

ft_delete_group() { # GROUP: every probe of a dead run
	local dir

	if [ ! -d "$FT_TRACEFS/events/$1" ]; then return; fi
	ft_write "$FT_TRACEFS/events/$1/enable" 0
	for dir in "$FT_TRACEFS/events/$1"/*/; do
		dir=${dir%/}
		if [ ! -d "$dir" ]; then continue; fi
		ft_append "$FT_TRACEFS/kprobe_events" "-:$1/${dir##*/}" ||
			ft_append "$FT_TRACEFS/uprobe_events" "-:$1/${dir##*/}"
	done
}
