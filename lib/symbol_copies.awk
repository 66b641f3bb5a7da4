# symbol_copies.awk - where a symbol stands in /proc/kallsyms
# SPDX-License-Identifier: GPL-2.0-only
# -v symbol=NAME. -v variants=1: or of a name that is it with what the compiler added.
# Prints " ADDRESS [MODULE], ADDRESS ..." of its text symbols, nothing if there is none.
# A module's line may name what is no module ([bpf], [__builtin__kprobes]); it is shown as it is.

($3 == symbol || variants && base_name($3) == symbol) && $2 ~ /^[tTwW]$/ {
	where = $1 ~ /^0+$/ ? "address hidden (kptr_restrict)" : "0x" $1
	out = out (n++ ? ", " : " ") where ($4 == "" ? "" : " " $4)
}

END {
	printf "%s", out
}
