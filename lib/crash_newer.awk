# crash_newer.awk - "PID NAME" lines, "--", more of them: status 0 when there is a process that was not known before
# SPDX-License-Identifier: GPL-2.0-only
# Workers of the kernel change their names all the time.

$1 == "--" {
	now = 1
	next
}

!now {
	known[$1]
	next
}

$2 !~ /^kworker\// && !($1 in known) {
	found = 1
}

END {
	exit !found
}
