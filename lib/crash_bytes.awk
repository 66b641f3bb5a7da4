# crash_bytes.awk - a size as the boot line has it (4M, 0x100000) -> bytes; nothing for what is none
# SPDX-License-Identifier: GPL-2.0-only

{
	value = size_value($0)
	if (value >= 0)
		printf "%.0f\n", value
}
