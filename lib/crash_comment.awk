# crash_comment.awk - lines of last_boot_info -> comments at the head of a copied trace
# SPDX-License-Identifier: GPL-2.0-only

{
	print "# last_boot_info " $0
}
