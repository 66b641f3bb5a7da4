# crash_said.awk - what the kernel's log says of the parts of a persistent ring -> "kernel-said CPU TEXT", the bad news only
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's own line, from its beginning: a device's name that is in the log may hold the same words.

{
	sub(/^<[0-9]+>/, "")
	sub(/^\[[ 0-9.]*\] /, "")
	# The caller's, with CONFIG_PRINTK_CALLER.
	sub(/^\[ *[TC][0-9]+\] /, "")
}

/^ *Ring buffer (boot )?meta ?\[[0-9]+\]/ && /mismatch|invalid|not found|out of range|greater|duplicate|corrupt|discarded|[Ff]ail/ {
	sub(/^ +/, "")
	cpu = substr($0, index($0, "[") + 1)
	sub(/\].*$/, "", cpu)
	print "kernel-said " cpu + 0 " " printable($0)
}
