# crash_head.awk - "key value" lines of tracemem info and decode --summary -> the head of a dump
# SPDX-License-Identifier: GPL-2.0-only
# -v boot= release=: of the boot that wrote the trace, empty when unknown; now: this boot's id; image: the snapshot;
# names: where names come from.

$1 == "cpu" {
	next
}

{
	value[$1] = substr($0, length($1) + 2)
}

function backend(layout) {
	if (layout ~ /^ring/)
		return "ring"
	return layout == "recorder" ? "module" : layout
}

function which_boot(    text) {
	if (boot == "")
		return "unknown boot"
	text = (boot == now ? "this boot " : "previous boot ") substr(boot, 1, 8)
	return text (release != "" ? " (" release ")" : "")
}

END {
	timed = value["clock"] != "count"
	lost = value["missed"] + value["torn-or-stale"]
	damaged = value["damaged-sub-buffers"] + value["discarded-sub-buffers"]
	printf "%-11s %s%s, %s, %s, %s%s\n", "region", (value["name"] != "" ? value["name"] " at " : ""),
		(value["address"] != "" ? value["address"] : "(a file)"), bytes(value["size"]), backend(value["layout"]),
		which_boot(), (timed && value["last"] != "" ? sprintf(", stopped at %s s", micro(value["last"])) : "")
	printf "%-11s %s on %d CPU%s%s; %s lost%s; snapshot %s\n", "records", commas(value["records"] + 0),
		value["cpus-with-records"], (value["cpus-with-records"] == 1 ? "" : "s"), (timed ? ", " short_time(value["covered"]) : ""), commas(lost),
		(damaged ? ", " damaged " damaged pages" : ""), image
	printf "%-11s %s\n", "names", names
}
