# crash_mapped.awk - the kernel's log -> "ADDRESS SIZE", hex and bytes, of the boot instance that $crash_name in the environment names
# SPDX-License-Identifier: GPL-2.0-only
# "Tracing: mapped boot instance NAME at physical memory 0xADDR of size 0xSIZE" (kernel/trace/trace.c). Only as a whole line behind
# the log's own prefix: devices, file systems and processes put texts of their own into other lines. Two that disagree: nothing.

BEGIN {
	lead = "Tracing: mapped boot instance " ENVIRON["crash_name"] " at physical memory "
}

{
	line = $0
	sub(/^<[0-9]+>/, "", line)
	sub(/^\[ *[0-9]+[.][0-9]+\] ?/, "", line)
	sub(/^\[ *[TC][0-9]+\] /, "", line) # CONFIG_PRINTK_CALLER
	if (index(line, lead) != 1)
		next
	line = substr(line, length(lead) + 1)
	if (line !~ /^(0x)?[0-9a-f]+ of size 0x[0-9a-f]+$/)
		next
	sub(/^(0x)?0*/, "", line)
	at = index(line, " ")
	place = "0x" substr(line, 1, at - 1) sprintf(" %.0f", hex_value(substr(line, at + 11)))
	if (place != found && found != "")
		exit odd = 1
	found = place
}

END {
	if (!odd && found != "")
		print found
}
