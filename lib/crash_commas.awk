# crash_commas.awk - numbers, with a comma between thousands
# SPDX-License-Identifier: GPL-2.0-only

{
	print commas($1)
}
