# crash_place.awk - "info" of a saved boot -> name, address and size as tracemem info has them
# SPDX-License-Identifier: GPL-2.0-only

$1 == "region" {
	print "name " $2
}

$1 == "address" && NF > 1 {
	print "address " $2
}

$1 == "size" && NF > 1 {
	printf "size %.0f\n", size_value($2)
}
