# names.awk - trace lines -> the same with the names that the kernel has forgotten, without what was not asked for
# SPDX-License-Identifier: GPL-2.0-only
# The kernel remembers the names of some 128 threads (saved_cmdlines_size); beyond that a line says "<...>-PID". Where
# that thread still runs, -v proc=FOLDER (/proc) has its name; empty: it cannot be known.
# -v only=, -v own=, -v status=: left_out() in common.awk. -v live=PID: each line at once, until that shell's "fieldtrace-end".

BEGIN {
	filtered = only != "" || own != ""
}

function name_of(pid,    file, line) {
	if (!(pid in name)) {
		file = proc "/" pid "/comm"
		name[pid] = (getline line < file) > 0 ? line : "<...>"
		close(file)
	}
	return name[pid]
}

live && /: fieldtrace-end$/ && task_pid($0) == live {
	exit
}

filtered && left_out($0) {
	next
}

proc != "" && match($0, /<[.][.][.]>-[0-9]+/) {
	head = substr($0, 1, RSTART - 1)
	tail = substr($0, RSTART + 5)
	found = name_of(substr($0, RSTART + 6, RLENGTH - 6))
	# A longer name takes its room from the blanks before it, a shorter one leaves some: the columns stay.
	for (extra = length(found) - 5; extra > 0 && sub(/ $/, "", head); extra--)
		;
	for (; extra < 0; extra++)
		head = head " "
	$0 = head found tail
}

{
	print
	if (live)
		fflush()
}
