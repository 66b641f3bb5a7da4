# crash_marks.awk - writes -v n= numbered marks into -v file= (trace_marker), each a write of its own
# SPDX-License-Identifier: GPL-2.0-only

BEGIN {
	for (i = 1; i <= n; i++) {
		printf "%s %06d ........................................\n", mark, i >file
		fflush(file)
	}
	if (close(file))
		exit 1
}
