# crash_comm.awk - lines "/proc/PID/task/TID/comm:NAME" -> "TID NAME"
# SPDX-License-Identifier: GPL-2.0-only

{
	at = index($0, "/comm:")
	if (!at)
		next
	path = substr($0, 1, at - 1)
	sub(/^.*\//, "", path)
	print path " " substr($0, at + 6)
}
