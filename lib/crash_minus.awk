# crash_minus.awk - lines "ADDRESS ..." -> ADDRESS minus -v delta=N (a signed decimal below 2^53), as wide as before
# SPDX-License-Identifier: GPL-2.0-only

{
	print hex_minus($1, delta)
}
