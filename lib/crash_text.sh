# crash_text.sh - crashtrace dump without the helper: the kernel's own text, completed by awk
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_report_text. Reads a copied trace (DATE.txt) whose first lines "# last_boot_info ..." are the kernel's.

# What the functions here set, empty until then: the environment may have variables of these names.
delta= names=

crash_report_text() {
	local info delta='' mods=/dev/null names=/dev/null

	case $format in
	'' | trace | text) ;;
	*)
		ft_die "$FT_EX_KERNEL" "-F $format needs an image; $crash_text is the kernel's own text, taken without the helper tracemem." \
			"Only trace and text can be made of it"
		;;
	esac
	crash_saved=
	if crash_get "$crash_note" saved; then crash_saved=$crash_dir/boots/$crash_value; fi
	if [ -z "$crash_saved" ] && [ ! -f "$crash_note" ]; then crash_ring_writer 2>/dev/null || :; fi
	if [ -n "$crash_saved" ]; then
		mods=$crash_saved/modsyms
		names=$crash_saved/cmdlines
	fi
	# shellcheck disable=SC2016 # awk's own
	delta=$("$ft_awk" '$2 == "last_boot_info" && $3 == "text" { sub(/.*[:\t ]/, ""); print; exit }' "$crash_text")
	if [ "$format" = trace ] && [ -n "$output" ]; then
		cat "$crash_text" >"$output" || ft_output_failed
		return
	fi
	crash_scratch
	sort "$mods" >"$crash_tmp/symbols" || ft_die "$FT_EX_OUTPUT" "cannot write $crash_tmp: no space left?"
	crash_text_names >"$crash_tmp/fields" || ft_die "$FT_EX_OUTPUT" "cannot write $crash_tmp: no space left?"
	if [ -n "$format$output" ]; then
		if [ -n "$output" ]; then
			cat "$crash_tmp/fields" >"$output" || ft_output_failed
		else
			cat "$crash_tmp/fields" || ft_output_failed
		fi
		return
	fi
	ft_note "$ft_tool: no helper here: from the kernel's own text. -F json and trace.dat, images and save need tracemem"
	info=$(
		ft_awk crash_stats "$crash_tmp/fields" "$crash_tmp/fields"
		# shellcheck disable=SC2016 # awk's own
		"$ft_awk" '/^CPU:[0-9]+ \[LOST [0-9]+ EVENTS\]$/ { n += $3 } END { printf "missed %.0f\n", n }' "$crash_text"
		if [ -n "$crash_saved" ]; then ft_awk crash_place "$crash_saved/info"; fi
	)
	set --
	if [ -z "$all$graph" ]; then set -- "$crash_tmp/fields"; fi
	anyway=
	crash_show_report "$crash_text" "from the kernel${crash_saved:+, modules from the symbols saved when armed}" "$info" "$@"
	if [ -n "$graph" ]; then
		ft_die "$FT_EX_KERNEL" "-g needs the helper; the kernel's own graph is in $crash_text"
	elif [ -n "$all" ]; then
		crash_text_names -v look_only=yes || ft_output_failed
	fi
}

crash_text_names() { # [OPTION...]: the text with names, as crash_fields.awk prints it; $delta $names and the symbols of crash_report_text
	ft_awk crash_fields -v delta="${delta:-0}" -v moved="${delta:+yes}" -v mods="$crash_tmp/symbols" -v names="$names" \
		-v kernel="$FT_PROC/kallsyms" "$@" "$crash_text"
}
