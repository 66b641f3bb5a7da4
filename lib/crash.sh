# crash.sh - crashtrace: its state folder, the region of the boot line, the helper
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_need_state, crash_look_state, crash_get, crash_put, crash_find_instance, crash_helper,
# crash_cmdline_words, crash_log, crash_bytes_of. Touches the state folder, which must outlive a reset:
#
#   settings        what the last "arm" was asked for, "KEY VALUE" lines; gone after disarm
#   patterns        its patterns, one a line
#   armed           the boot that is recording, "KEY VALUE" lines; gone after disarm
#   boots/N.BOOTID/ what an address needs to become a name: kallsyms, modules, names of processes... (crash_boot.sh)
#   DATE.img, .txt  snapshots; DATE.note says of which boot, "KEY VALUE" lines
#   dumped          "KEY IMAGE" lines: traces that were dumped (crash_dump.sh)

CRASH_STATE_DEFAULT=/var/lib/fieldtrace
FT_EX_NODATA=10 # no recorded data

# What the functions here set, empty until then: the environment may have variables of these names.
crash_alien= crash_gone= crash_page= crash_reason= crash_seen= crash_up=
crash_addr= crash_asked= crash_backend= crash_boot= crash_clock= crash_dir= crash_from= crash_fs= crash_image=
crash_key= crash_name= crash_ring_was= crash_saved= crash_size= crash_source= crash_tracemem= crash_value=
crash_watcher= crash_where=

crash_boot_id() { # -> $crash_boot: this boot's id
	ft_read_first "$FT_PROC/sys/kernel/random/boot_id" || ft_value=unknown
	crash_boot=$ft_value
}

crash_get() { # FILE KEY -> $crash_value: the rest of the line that begins with KEY; returns 1 when there is none
	local key rest

	crash_value=
	while read -r key rest; do
		if [ "$key" = "$2" ]; then
			crash_value=$rest
			return
		fi
	done 2>/dev/null <"$1"
	return 1
}

crash_key_of() { # TEXT KEY -> $crash_value: the same out of "KEY VALUE" lines in a variable
	local text="
$1
"

	crash_value=
	case $text in
	*"
$2 "*)
		text=${text#*"
$2 "}
		crash_value=${text%%"
"*}
		;;
	*) return 1 ;;
	esac
}

crash_symbol_of() { # TEXT NAME -> $crash_value: the address of NAME out of lines of kallsyms, empty when it is not there
	local text="$1
"

	crash_value=
	case $text in
	*" $2
"*)
		text=${text%%" $2
"*}
		text=${text##*"
"}
		crash_value=${text%% *}
		;;
	esac
}

crash_text_of() { # LINES of kallsyms -> $crash_value: where the kernel's text begins, empty when they do not tell
	# Without CONFIG_KALLSYMS_ALL some machines do not list _text.
	crash_symbol_of "$1" _text
	if [ -z "$crash_value" ]; then crash_symbol_of "$1" _stext; fi
}

crash_replace() { # FILE: stdin becomes FILE, whole or not at all; ends with 9 when it cannot be written
	# dd, since BusyBox' cat and grep end with 0 on a full disk. In a pipe this ends the subshell only: add "|| exit".
	# $$, since the watcher may be at the same file as a dump.
	if ! dd of="$1.new.$$" bs=65536 2>/dev/null || ! mv "$1.new.$$" "$1"; then
		rm -f "$1.new.$$"
		ft_die "$FT_EX_OUTPUT" "cannot write $1: no space left?"
	fi
}

crash_put() { # FILE KEY VALUE: add a line
	if ! ft_append "$1" "$2 $3"; then ft_die "$FT_EX_OUTPUT" "cannot write $1: no space left?"; fi
}

### the state folder

crash_volatile() { # DIR -> $crash_fs: the file system type that makes DIR forget at a reset; 1 when it does not
	# The deepest mount point above DIR decides. An overlay is as good as the folder it writes to.
	local device dir type options rest best='' at="$1" upper=''

	crash_fs=
	while [ ! -d "$at" ]; do
		case $at in
		*/*) at=${at%/*} ;;
		*) at=. ;;
		esac
		at=${at:-/}
	done
	at=$(cd "$at" && pwd) || return 1
	# shellcheck disable=SC2034 # columns
	while read -r device dir type options rest; do
		ft_decode_mount "$dir"
		# Not in the pattern itself: bash 5.2 lets "${x%/}"/* match nothing when x is "/".
		dir=${ft_decoded%/}
		case $at/ in
		"$dir"/*) ;;
		*) continue ;;
		esac
		# The later of two mounts on one place is the one that is seen.
		if [ "${#ft_decoded}" -ge "${#best}" ]; then
			best=$ft_decoded
			crash_fs=$type
			upper=$options
		fi
	done <"$FT_PROC/mounts"
	case $crash_fs in
	tmpfs | ramfs | rootfs | devtmpfs) return 0 ;;
	overlay)
		case $upper in
		*upperdir=*)
			upper=${upper##*upperdir=}
			crash_volatile "${upper%%,*}"
			return
			;;
		esac
		;;
	esac
	return 1
}

crash_state_dir() { # -> $crash_dir: where the state is or would be; $crash_asked: 1 when the user named it
	crash_asked=1
	crash_dir=${state:-${FIELDTRACE_CRASH_STATE:-}}
	if [ -z "$crash_dir" ]; then
		crash_dir=$CRASH_STATE_DEFAULT
		crash_asked=
	fi
	case $crash_dir in
	-*) crash_dir=./$crash_dir ;;
	esac
}

crash_need_state() {
	# $crash_dir, made if need be. Ends with 2 when it is the default and would be empty after a reset.
	crash_state_dir
	if crash_volatile "$crash_dir" && [ -z "$crash_asked$force" ]; then
		ft_die "$FT_EX_USAGE" "$crash_dir is on $crash_fs, which a reset empties, and without the symbols saved there" \
			"the trace has no names. Name a folder on a disk or flash: -S DIR (-f keeps $crash_dir)"
	fi
	if ! mkdir -p "$crash_dir/boots" 2>/dev/null || [ ! -w "$crash_dir" ]; then
		ft_die "$FT_EX_FAIL" "cannot write the state folder $crash_dir (read-only, or no rights?); name another with -S DIR"
	fi
	crash_boot_id
}

crash_look_state() {
	# $crash_dir, only looked at: status and dump of a machine where nothing was ever armed leave no folder.
	crash_state_dir
	crash_boot_id
}

### the boot line and the kernel's log

crash_cmdline_words() { # KEY: the values of KEY= on the boot line, one a line
	local word line

	line=$(ft_cat_line "$FT_PROC/cmdline")
	set -f
	for word in $line; do
		word=${word#\"}
		word=${word%\"}
		case $word in
		"$1="*) printf '%s\n' "${word#*=}" ;;
		esac
	done
	set +f
}

crash_log() { # PATTERN: the lines of the kernel's log that match; nothing where it may not be read
	if [ -n "${FIELDTRACE_DMESG:-}" ]; then
		grep -E "$1" "$FIELDTRACE_DMESG"
	else
		dmesg 2>/dev/null | grep -E "$1"
	fi
}

crash_find_instance() { # [NAME] -> $crash_name, $crash_where (ADDR:SIZE or LABEL); 1 when the boot line has none
	# trace_instance=NAME[^flag...]@WHERE[,events] (Documentation/trace/debugging.rst). Only those with a place
	# survive a reset; the first one wins unless NAME is asked for.
	local value name ft_lines ft_line

	crash_name=
	crash_where=
	ft_lines=$(crash_cmdline_words trace_instance)
	while ft_next_line; do
		value=${ft_line%%,*}
		case $value in
		*@*) ;;
		*) continue ;;
		esac
		name=${value%%@*}
		name=${name%%^*}
		if [ -n "${1:-}" ] && [ "$name" != "$1" ]; then continue; fi
		crash_name=$name
		crash_where=${value#*@}
		return
	done
	return 1
}

crash_place() { # -> $crash_addr, $crash_size (bytes): of the instance $crash_name, from the boot line; of a label from the log
	# What the boot line says is not asked of the log, which others write into. Both are empty when neither tells.
	local place

	case $crash_where in
	[0-9]*:*)
		crash_addr=${crash_where%%:*}
		crash_size=$(crash_bytes_of "${crash_where#*:}")
		;;
	*)
		place=$(
			export crash_name
			crash_log 'mapped boot instance' | ft_awk crash_mapped
		)
		crash_addr=${place%% *}
		crash_size=${place#* }
		;;
	esac
}

crash_bytes_of() { # SIZE, as the boot line has it (4M, 0x100000): on stdout in bytes, empty when it is no size
	printf '%s\n' "$1" | ft_awk crash_bytes
}

crash_page() { # -> $crash_page: this kernel's page size in bytes; 65536, which is a multiple of all, where nothing tells
	local key kb rest

	crash_page=65536
	# shellcheck disable=SC2034
	while read -r key kb rest; do
		case $key$kb in
		KernelPageSize:*[!0-9]* | KernelPageSize:) ;;
		KernelPageSize:?*)
			crash_page=$((kb * 1024))
			return
			;;
		esac
	done 2>/dev/null <"$FT_PROC/self/smaps"
}

crash_size_text() { # SIZE: bytes, or as the boot line has it (4M), in words
	case $1 in
	*[!0-9]* | '' | ??????????*) printf '%s\n' "$1" ;;
	*)
		if [ $(($1 % 1048576)) = 0 ]; then
			echo "$(($1 / 1048576)) MiB"
		else
			echo "$(($1 / 1024)) KiB"
		fi
		;;
	esac
}

### the helper

crash_helper() { # -> $crash_tracemem: tracemem, or empty where it is not; $crash_alien: one that does not run here
	local dir name file

	crash_tracemem=
	crash_alien=
	if [ -n "${FIELDTRACE_HELPER:-}" ]; then
		crash_helper_runs "$FIELDTRACE_HELPER"
		return
	fi
	for dir in "$FT_LIB" "$FT_LIB/../helper" "$FT_LIB/../../helper" ''; do
		for name in tracemem tracemem-static; do
			file=$dir/$name
			if [ -z "$dir" ]; then file=$(command -v "$name") || continue; fi
			if crash_helper_runs "$file"; then return; fi
		done
	done
	return 1
}

crash_helper_runs() { # FILE -> $crash_tracemem: it, if it is there and this machine can run it; else 1
	# A shell takes a program of another machine for a script.
	if [ ! -f "$1" ] || [ ! -x "$1" ]; then return 1; fi
	if ! "$1" -h </dev/null >/dev/null 2>&1; then
		crash_alien=$1
		return 1
	fi
	crash_tracemem=$1
}

crash_helper_text() { # the helper in words, for check
	if [ -n "$crash_tracemem" ]; then
		printf '%s\n' "$crash_tracemem"
	elif [ -n "$crash_alien" ]; then
		printf '%s\n' "no: $crash_alien does not run on this machine ($(uname -m)): build it for this one (make helper, make kit ARCH=)"
	else
		echo 'no: dump shows only what the kernel says itself; build it with make helper'
	fi
}
