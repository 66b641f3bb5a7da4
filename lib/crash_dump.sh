# crash_dump.sh - crashtrace dump: snapshot first, then names, then the report
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_dump, crash_was_dumped, crash_say. Reads the region; writes only into the state folder:
# DATE.img (or DATE.txt, the kernel's text, where there is no helper) and DATE.note.

# What the functions here set, empty until then: the environment may have variables of these names.
crash_info= crash_rc= crash_state= crash_symbols_of= crash_tmp=
crash_base= crash_note= crash_text= crash_writer=

crash_say() { # WORD TEXT...: a line of status, check and dump
	local word="$1"

	shift
	printf '%-11s %s\n' "$word" "$*" || exit "$FT_EX_OUTPUT"
}

crash_was_dumped() { # KEY -> $crash_image: the latest snapshot of that very trace; 1 when there is none
	local key image

	crash_image=
	while read -r key image; do
		if [ "$key" = "$1" ]; then crash_image=$image; fi
	done 2>/dev/null <"$crash_dir/dumped"
	[ -n "$crash_image" ]
}

crash_mark_dumped() { # KEY IMAGE -> $crash_image: IMAGE
	if ! crash_was_dumped "$1" || [ "$crash_image" != "$2" ]; then
		crash_put "$crash_dir/dumped" "$1" "$2"
		sync
	fi
	crash_image=$2
}

crash_info_key() { # BACKEND -> $crash_key, $crash_writer (boot id, "unknown"), $crash_state, $crash_rc: out of $crash_source
	# Only the helper can read these regions. Number of records and the time of the last tell traces apart. Returns 1 when
	# it is known to be empty, 2 when nothing in it can be read, not even as single records, 3 when it could not be looked
	# at ($crash_rc: why, the helper's status). Unreadable is not empty.
	local info records

	crash_key=
	crash_writer=unknown
	crash_state=
	crash_rc=0
	if [ -z "$crash_tracemem" ]; then return 3; fi
	info=$("$crash_tracemem" info "$crash_source") || crash_rc=$?
	if crash_key_of "$info" state; then crash_state=$crash_value; fi
	case $crash_state.$crash_rc in
	empty.* | .10) return 1 ;;
	unreadable.*)
		crash_key=$1:unreadable:$crash_boot
		if { ! crash_key_of "$info" salvage || [ "$crash_value" = 0 ]; } && ! crash_was_dumped "$crash_key"; then return 2; fi
		return 0
		;;
	*.0 | *.10) ;;
	*) return 3 ;;
	esac
	if crash_key_of "$info" traced-boot-id; then crash_writer=$crash_value; fi
	crash_key_of "$info" records || :
	records=${crash_value:-0}
	crash_key_of "$info" last || :
	crash_key=$1:$crash_writer:$records:$crash_value
	[ "$records" != 0 ] || [ "$crash_state" = damaged ]
}

crash_info_dumpable() { # BACKEND -> $crash_key; ends with 10 and the reason when there is nothing, with the helper's status
	# where that cannot be known.
	local rc=0

	crash_info_key "$1" || rc=$?
	case $rc in
	0 | 2) ;;
	1) crash_no_data ;;
	*) exit "$crash_rc" ;;
	esac
}

crash_trace_line() { # BACKEND: the line "trace" of status, for a region that only the helper can read
	local rc=0

	if ! crash_helper; then
		crash_say trace 'unknown: reading the region needs the helper tracemem'
		return
	fi
	crash_info_key "$1" 2>/dev/null || rc=$?
	if [ "$rc" = 1 ]; then
		crash_say trace none
	elif [ "$rc" = 3 ]; then
		crash_say trace "unknown: $("$crash_tracemem" info "$crash_source" 2>&1 | tail -n 1)"
	elif crash_was_dumped "$crash_key"; then
		crash_say trace "dumped ($crash_image)"
	elif [ "$crash_state" = unreadable ]; then
		crash_say trace "unreadable, but not empty: $ft_tool dump keeps it and shows what can be salvaged"
	elif [ "$crash_writer" = "$crash_boot" ]; then
		crash_say trace 'of this boot'
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
	if [ -n "$crash_alien" ]; then
		ft_die "$FT_EX_KERNEL" "$1 needs the helper, and $crash_alien does not run on this machine ($(uname -m));" \
			"build it for this one (make helper)"
	fi
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
		# On the disk it is safe, whatever can be made of it.
		crash_mark_dumped "$crash_key" "$crash_image"
	fi
	crash_note=${crash_image%.*}.note
	case $crash_image in
	*.txt)
		crash_text=$crash_image
		crash_report_text
		;;
	*) crash_report ;;
	esac
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
		if [ "$crash_backend" = ring ]; then crash_kernel_said; fi
	} | crash_replace "$crash_base.note" || exit
	sync
}

crash_kernel_said() { # lines "kernel-said CPU TEXT": what this boot's kernel found wrong with a CPU's part of the ring
	# kernel/trace/ring_buffer.c, rb_meta_valid() and rb_meta_validate_events(): it empties what it refuses.
	crash_log 'Ring buffer (boot )?meta ?[[][0-9]+]' | ft_awk crash_said
}

### names

crash_names() { # -> $crash_info, $crash_saved, $crash_symbols_of (saved, running, or empty: none), $crash_from (words)
	# The boot that wrote the trace, if its symbols were saved; else those of the running kernel, moved, where the region
	# says that this kernel wrote it. Any others give fluent and false names: only when they are asked for, and marked.
	local line n=0 wrong=''

	crash_info=$("$crash_tracemem" info "$crash_image" 2>/dev/null) || :
	crash_symbols_of=
	crash_saved=
	if crash_get "$crash_note" saved && [ -d "$crash_dir/boots/$crash_value" ]; then
		crash_saved=$crash_dir/boots/$crash_value
	else
		crash_match_info
	fi
	if [ -n "$crash_saved" ]; then
		crash_symbols_of=saved
		while read -r line; do n=$((n + 1)); done 2>/dev/null <"$crash_saved/modules"
		crash_from="from the symbols saved when armed; $n modules"
		wrong=$(crash_other_symbols)
	elif [ -r "$FT_PROC/kallsyms" ]; then
		crash_symbols_of=running
		crash_from='from the running kernel, which wrote it in another boot, moved; without most modules'
		wrong=$(crash_other_kernel)
	else
		crash_from='none: no symbols were saved'
	fi
	if [ -z "$wrong" ]; then
		anyway=
	elif [ -n "$anyway" ]; then
		crash_from="UNSURE: $wrong"
	else
		crash_from="none: $wrong; --symbols-anyway takes those, and marks each line"
		crash_symbols_of=
	fi
}

crash_other_symbols() { # why those of $crash_saved may not be the kernel's that wrote $crash_info, in words; nothing when they are
	local dir build='' text=''

	if crash_get "$crash_saved/info" build; then build=$crash_value; fi
	if crash_key_of "$crash_info" traced-build && [ -n "$build" ] && [ "$crash_value" != "$build" ]; then
		printf 'the trace is of the kernel "%s", the saved symbols are of "%s"\n' "$crash_value" "$build"
	elif ! crash_key_of "$crash_info" traced-boot-id && crash_get "$crash_saved/info" text && [ -n "$crash_value" ]; then
		# Without address randomisation all kernels are at one place.
		text=$crash_value
		for dir in "$crash_dir"/boots/[0-9]*.*; do
			if crash_get "$dir/info" text && [ "$crash_value" = "$text" ] && crash_get "$dir/info" build &&
				[ "$crash_value" != "$build" ]; then
				echo 'the symbols of two different kernels were saved, and either may have written it'
				return
			fi
		done
	fi
}

crash_other_kernel() { # why the running kernel may not be the one that wrote $crash_info, in words; nothing when it is
	if ! crash_key_of "$crash_info" traced-build; then
		echo 'nothing tells which kernel wrote it, and no saved boot fits; there are the symbols of the running kernel'
	elif [ "$crash_value" != "$(uname -v)" ] || { crash_key_of "$crash_info" traced-release && [ "$crash_value" != "$(uname -r)" ]; }; then
		crash_key_of "$crash_info" traced-release
		echo "the kernel that wrote it, $crash_value, is not the running one, and its symbols were not saved"
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
	case $crash_symbols_of in
	saved)
		crash_symbols | "$crash_tracemem" decode --symbols - --modules "$crash_saved/modules" \
			--old-modules "$crash_saved/modules" --cmdlines "$crash_saved/cmdlines" "$@" "$crash_image"
		;;
	running)
		if [ -r "$FT_PROC/modules" ]; then set -- --modules "$FT_PROC/modules" "$@"; fi
		"$crash_tracemem" decode --symbols "$FT_PROC/kallsyms" "$@" "$crash_image"
		;;
	*)
		if [ -n "$crash_saved" ]; then set -- --cmdlines "$crash_saved/cmdlines" "$@"; fi
		"$crash_tracemem" decode "$@" "$crash_image"
		;;
	esac
}

crash_scratch() { # -> $crash_tmp: a folder for what is only needed now: another machine's state folder may be read-only, or not there
	local dir

	if [ -n "${crash_tmp:-}" ]; then return; fi
	for dir in "$crash_dir" "${TMPDIR:-/tmp}" /run /dev/shm .; do
		crash_tmp=$dir/.crashtrace.$$
		# Not -p: what somebody else has put there is not ours.
		if [ -d "$dir" ] && (umask 077 && mkdir "$crash_tmp") 2>/dev/null; then return; fi
	done
	crash_tmp=
	ft_die "$FT_EX_OUTPUT" "no folder can be written for a moment: not $crash_dir, ${TMPDIR:-/tmp}, /run, /dev/shm nor this one"
}

crash_forget() { # temporary files, at the end
	if [ -n "${crash_tmp:-}" ]; then rm -rf "$crash_tmp"; fi
}

### the report

crash_report() {
	local salvage='' damaged='' rc=0

	crash_names
	if crash_key_of "$crash_info" state && [ "$crash_value" = unreadable ]; then
		salvage=--salvage
		if ! crash_key_of "$crash_info" salvage || [ "$crash_value" = 0 ]; then
			ft_die "$FT_EX_FAIL" "no header can be read, and no record was found without one: a trace that is damaged beyond that," \
				"or never was one. All of it is in $crash_image"
		fi
	fi
	case $format in
	json | trace.dat)
		if [ -n "$salvage" ]; then
			ft_die "$FT_EX_FAIL" "-F $format: this image has no header that can be read; trace and text show what is salvaged"
		fi
		if [ -n "$anyway" ]; then ft_die "$FT_EX_USAGE" "-F $format has no place for the mark of --symbols-anyway: only trace and text"; fi
		;;
	esac
	if [ -n "$output$format" ]; then
		if [ -z "$anyway" ]; then
			crash_decode ${salvage:+"$salvage"} --format "${format:-trace}" -o "${output:--}" || exit
		elif [ -n "$output" ] && [ "$output" != - ]; then
			crash_decode_marked ${salvage:+"$salvage"} --format "${format:-trace}" >"$output" || ft_output_failed
		else
			crash_decode_marked ${salvage:+"$salvage"} --format "${format:-trace}" || exit
		fi
		if [ -n "$output" ] && [ "$output" != - ]; then ft_note "$ft_tool: written: $output"; fi
		return
	fi
	if [ -n "$graph" ] && [ -z "$salvage" ]; then
		crash_show_report "$crash_image" "$crash_from" "$crash_info"
		if crash_key_of "$crash_info" state && [ "$crash_value" = damaged ]; then damaged=1; fi
		crash_decode --format text ${last:+--last "$last"} | ft_awk crash_graph -v damaged="$damaged" -v unsure="$anyway"
	elif [ -n "$all" ]; then
		crash_show_report "$crash_image" "$crash_from" "$crash_info"
		crash_decode_marked ${salvage:+"$salvage"} --format trace || exit
	elif [ -n "$salvage" ]; then
		crash_show_report "$crash_image" "$crash_from" "$crash_info
$(crash_decode --salvage --format text)"
	else
		crash_info=$(crash_decode --report "${last:-8}") || rc=$?
		# 10: no record, though not all is zeros.
		case $rc in
		0) ;;
		10) if ! crash_key_of "$crash_info" state || [ "$crash_value" = empty ]; then exit "$rc"; fi ;;
		*) exit "$rc" ;;
		esac
		crash_show_report "$crash_image" "$crash_from" "$crash_info"
		if [ "$rc" = 10 ]; then ft_die "$FT_EX_FAIL" "not one record of it can be read; all that is there is in $crash_image"; fi
	fi
}

crash_decode_marked() { # ARG...: the same, each line marked where the names are unsure; ends with its status
	local rc=0

	if [ -z "$anyway" ]; then
		crash_decode "$@"
		return
	fi
	crash_scratch
	crash_decode "$@" >"$crash_tmp/records" || rc=$?
	if [ "$rc" != 0 ]; then return "$rc"; fi
	# shellcheck disable=SC2016 # awk's own
	"$ft_awk" '/^#/ || /^$/ { print; next } { print $0 " unsure-names" }' "$crash_tmp/records" || return "$FT_EX_OUTPUT"
}

crash_show_report() { # SNAPSHOT NAMES TEXT [FILE...]: crash_report.awk of these; NAMES: words on where names come from
	local boot='' release='' image="$1" names="$2" text="$3"

	shift 3
	if [ -n "$crash_saved" ]; then
		if crash_get "$crash_saved/info" boot; then boot=$crash_value; fi
		if crash_get "$crash_saved/info" release; then release=$crash_value; fi
	fi
	# Not from awk itself: not every awk says that it could not write.
	text=$({
		printf '%s\n' "$text"
		if [ -f "$crash_note" ]; then grep '^kernel-said ' "$crash_note"; fi
	} | ft_awk crash_report -v boot="$boot" -v release="$release" -v image="$image" -v names="$names" \
		-v now="$crash_boot" -v n="${last:-8}" -v unsure="$anyway" - "$@") || exit
	{ printf '%s\n' "$text" && crash_say_untraced; } 2>/dev/null || ft_output_failed
}
