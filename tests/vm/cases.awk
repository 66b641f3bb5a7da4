# cases.awk - a line a case of the files given: file, function, limit, "once"/"each" or "-", description, requires, concerns
# SPDX-License-Identifier: GPL-2.0-only
#
# The fields are separated by OFS. What stands in a case's head: README.md, "Writing a case". Used by run.sh on the host
# and by runner.sh in the guest.
function flush() {
	if (fn != "") print FILE, fn, limit, passes, text, fileneeds "," needs, concerns
	fn = ""
}
FNR == 1 {
	flush()
	FILE = FILENAME
	fileneeds = ""; filepasses = "-"; head = 0
	concerns = FILE
	sub(/^.*\//, "", concerns); sub(/\.sh$/, "", concerns)
}
/^case_[A-Za-z0-9_]*\(\) \{/ {
	flush()
	fn = substr($1, 1, length($1) - 2)
	text = $0
	sub(/^[^#]*#? ?/, "", text)
	limit = 120; passes = filepasses; needs = ""; head = 1
	next
}
/^\t?# requires: / {
	line = $0
	sub(/^\t?# requires: /, "", line)
	if (fn == "") fileneeds = fileneeds "," line
	else if (head) needs = needs "," line
}
/^# concerns: / && fn == "" { concerns = $0; sub(/^# concerns: /, "", concerns) }
/^# each shell/ && fn == "" { filepasses = "each" }
/^\t# limit: / && head { limit = $3 + 0 }
/^\t# once/ && head { passes = "once" }
/^\t# each shell/ && head { passes = "each" }
!/^\t?#/ { head = 0 }
END { flush() }
