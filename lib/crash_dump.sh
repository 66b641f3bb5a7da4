# crash_dump.sh - crashtrace dump: snapshot first, then names, then the report
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_dump, crash_was_dumped, crash_say. Reads the region; writes only into the state folder:
# DATE.img (or DATE.txt, the kernel's text, where there is no helper) and DATE.note.

crash_say() { # WORD TEXT...: a line of status, check and dump
	local word="$1"

	shift
	printf '%-11s %s\n' "$word" "$*" || exit "$FT_EX_OUTPUT"
}

crash_was_dumped() { # KEY -> $crash_image: the snapshot of that very trace; 1 when there is none
	local key image

	crash_image=
	while read -r key image; do
		if [ "$key" = "$1" ]; then
			crash_image=$image
			return
		fi
	done 2>/dev/null <"$crash_dir/dumped"
	return 1
}

crash_mark_dumped() { # KEY IMAGE
	if crash_was_dumped "$1"; then return; fi
	crash_put "$crash_dir/dumped" "$1" "$2"
	sync
}

crash_info_key() { # BACKEND -> $crash_key, $crash_writer (boot id, "unknown"): out of $crash_source; 1 when it holds no trace
	# Only the helper can read these regions. Number of records and the time of the last tell traces apart.
	local info records

	crash_key=
	crash_writer=unknown
	if [ -z "$crash_tracemem" ]; then return 1; fi
	info=$("$crash_tracemem" info "$crash_source") || return 1
	if crash_key_of "$info" traced-boot-id; then crash_writer=$crash_value; fi
	crash_key_of "$info" records || :
	records=${crash_value:-0}
	crash_key_of "$info" last || :
	crash_key=$1:$crash_writer:$records:$crash_value
	[ "$records" != 0 ]
}

crash_trace_line() { # BACKEND: the line "trace" of status, for a region that only the helper can read
	if ! crash_helper; then
		crash_say trace 'unknown: reading the region needs the helper tracemem'
	elif ! crash_info_key "$1" 2>/dev/null; then
		crash_say trace none
	elif [ "$crash_writer" = "$crash_boot" ]; then
		crash_say trace 'of this boot'
	elif crash_was_dumped "$crash_key"; then
		crash_say trace "dumped ($crash_image)"
	elif crash_is_armed; then
		crash_say trace 'not dumped'
	else
		crash_say trace "of an earlier boot, not dumped yet: $ft_tool dump"
	fi
}

crash_stamp() { # -> $crash_base: STATE/DATE, not taken yet
	local n=1 date

	date=$(date '+%Y-%m-%dT%H-%M-%S')
	crash_base=$crash_dir/$date
	while [ -e "$crash_base.img" ] || [ -e "$crash_base.txt" ]; do
		n=$((n + 1))
		crash_base=$crash_dir/$date.$n
	done
}

crash_dump() { # [IMAGE]
	local from="${1:-}"

	crash_helper || :
	if [ -n "$from" ]; then
		crash_dump_file "$from"
	else
		crash_dump_region
	fi
}

crash_dump_file() { # IMAGE: one of ours, or bare bytes
	crash_look_state
	if [ ! -r "$1" ]; then ft_die "$FT_EX_FAIL" "cannot read $1"; fi
	case $1 in
	*.txt)
		crash_text=$1
		crash_note=${1%.txt}.note
		crash_report_text
		;;
	*)
		crash_need_helper 'reading an image'
		crash_image=$1
		crash_note=${1%.img}.note
		crash_report
		;;
	esac
}

crash_need_helper() { # WHAT
	if [ -n "$crash_tracemem" ]; then return; fi
	ft_die "$FT_EX_KERNEL" "$1 needs the helper tracemem, which is not here: build it with 'make helper'," \
		"put it beside the library or set FIELDTRACE_HELPER. The image can be read on any other machine."
}

crash_dump_region() {
	# What is in memory now: a copy first, whatever comes of it.
	crash_state_dir
	crash_pick_backend dump
	crash_need_state
	# Names of processes that came after arming, while there still is somebody to ask.
	if crash_is_armed && crash_boot_folder "$crash_boot"; then crash_save_names; fi
	crash_"$crash_backend"_dumpable
	if crash_was_dumped "$crash_key" && [ -r "$crash_image" ]; then
		ft_note "$ft_tool: this trace was dumped before; its snapshot is $crash_image"
	else
		crash_snapshot
	fi
	crash_note=${crash_image%.*}.note
	case $crash_image in
	*.txt)
		crash_text=$crash_image
		crash_report_text
		;;
	*) crash_report ;;
	esac
	crash_mark_dumped "$crash_key" "$crash_image"
}

crash_snapshot() { # -> $crash_image
	local rc=0

	crash_stamp
	crash_image=
	if [ -n "$crash_tracemem" ]; then
		"$crash_tracemem" snapshot "$crash_source" "$crash_base.img" || rc=$?
		if [ "$rc" = 0 ]; then
			crash_image=$crash_base.img
		elif [ "$rc" = 9 ]; then
			ft_die "$FT_EX_OUTPUT" "no snapshot in $crash_dir: no space left?"
		elif [ "$crash_backend" != ring ]; then
			exit "$rc"
		else
			ft_warn "going on with the kernel's own text of '$crash_name'"
		fi
	fi
	if [ -z "$crash_image" ]; then crash_"$crash_backend"_copy_text; fi
	# Which boot wrote it cannot be told from the text later on.
	crash_"$crash_backend"_writer || :
	{
		printf 'key %s\ntaken-in %s\n' "$crash_key" "$crash_boot"
		if [ -n "$crash_saved" ]; then
			printf 'saved %s\n' "${crash_saved##*/}"
		fi
	} | crash_replace "$crash_base.note" || exit
	sync
}

### names

crash_names() { # -> $crash_saved, $crash_from: words on where names come from
	# The boot that wrote the trace, if its symbols were saved; else those of the running kernel, moved.
	local line n=0

	crash_saved=
	if crash_get "$crash_note" saved && [ -d "$crash_dir/boots/$crash_value" ]; then
		crash_saved=$crash_dir/boots/$crash_value
	else
		crash_match_info
	fi
	if [ -n "$crash_saved" ]; then
		while read -r line; do n=$((n + 1)); done 2>/dev/null <"$crash_saved/modules"
		crash_from="from the symbols saved when armed; $n modules"
	else
		crash_from="from the running kernel, moved: right only if it is the build that was traced, and without most modules"
		if [ ! -r "$FT_PROC/kallsyms" ]; then crash_from=none; fi
	fi
}

crash_match_info() { # -> $crash_saved: the saved boot that wrote $crash_image, empty when the image does not tell
	# It says the boot id (recorder), or where _text or another anchor was (ring).
	local info value symbol

	crash_saved=
	info=$("$crash_tracemem" info "$crash_image" 2>/dev/null) || :
	if crash_key_of "$info" traced-boot-id; then crash_boot_of boot "$crash_value" || :; fi
	if [ -z "$crash_saved" ] && crash_key_of "$info" text-address; then
		value=${crash_value#0x}
		crash_key_of "$info" text-symbol
		symbol=text
		if [ "$crash_value" != _text ]; then symbol=anchor; fi
		crash_boot_of "$symbol" "$value" || :
	fi
}

crash_decode() { # ARG...: tracemem decode of the snapshot, with names; those that were saved come through a pipe
	if [ -n "$crash_saved" ]; then
		crash_symbols | "$crash_tracemem" decode --symbols - --modules "$crash_saved/modules" \
			--old-modules "$crash_saved/modules" --cmdlines "$crash_saved/cmdlines" "$@" "$crash_image"
	elif [ "$crash_from" != none ]; then
		"$crash_tracemem" decode --symbols "$FT_PROC/kallsyms" --modules "$FT_PROC/modules" "$@" "$crash_image"
	else
		"$crash_tracemem" decode "$@" "$crash_image"
	fi
}

crash_forget() { # temporary files, at the end
	if [ -n "${crash_dir:-}" ]; then rm -f "$crash_dir/.symbols.$$" "$crash_dir/.info.$$" "$crash_dir/.fields.$$"; fi
}

### the report

crash_report() {
	crash_names
	if [ -n "$output$format" ]; then
		crash_decode --format "${format:-trace}" -o "${output:--}" || exit
		if [ -n "$output" ] && [ "$output" != - ]; then ft_note "$ft_tool: written: $output"; fi
		return
	fi
	if [ -n "$graph" ]; then
		crash_print_report "$crash_tracemem" info "$crash_image"
		crash_decode --format text ${last:+--last "$last"} | ft_awk crash_graph
	elif [ -n "$all" ]; then
		crash_print_report "$crash_tracemem" info "$crash_image"
		crash_decode --format trace || exit
	else
		crash_print_report crash_decode --report "${last:-8}"
	fi
}

crash_print_report() { # COMMAND ARG...: what it prints (tracemem info, or decode --report) as a dump looks
	local info="$crash_dir/.info.$$"

	"$@" >"$info" || exit
	crash_show_report "$crash_image" "$crash_from" "$info"
	rm -f "$info"
}

crash_show_report() { # SNAPSHOT NAMES FILE...: crash_report.awk of these; NAMES: words on where names come from
	local boot='' release='' image="$1" names="$2" text

	shift 2
	if [ -n "$crash_saved" ]; then
		if crash_get "$crash_saved/info" boot; then boot=$crash_value; fi
		if crash_get "$crash_saved/info" release; then release=$crash_value; fi
	fi
	# Not from awk itself: not every awk says that it could not write.
	text=$(ft_awk crash_report -v boot="$boot" -v release="$release" -v image="$image" -v names="$names" \
		-v now="$crash_boot" -v n="${last:-8}" "$@") || exit
	printf '%s\n' "$text" 2>/dev/null || ft_output_failed
}
