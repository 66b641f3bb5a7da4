# crash_last.awk - lines of tracemem decode --format text -> the last N of each CPU, newest last
# SPDX-License-Identifier: GPL-2.0-only
# Input: "TIME CPU COMM-PID FLAGS KIND IP PARENT [MORE]". -v n=N; -v totals="CPU COUNT ...", else those seen are counted.

{
	cpu = $2
	if (!(cpu in seen)) {
		cpus[++ncpu] = cpu
		seen[cpu] = 0
	}
	at = seen[cpu]++ % n
	who[cpu, at] = task_text($3)
	when[cpu, at] = micro($1)
	what[cpu, at] = $5 == "print" ? "# " text_after(7) : ($5 == "function" ? "" : $5 " ") look($6)
	caller[cpu, at] = $5 == "function" ? look($7) : ""
	if ($5 != "function" && $5 != "print" && NF > 7)
		what[cpu, at] = what[cpu, at] " " text_after(7)
}

function text_after(field,    i, out) {
	for (i = field + 1; i <= NF; i++)
		out = out (i > field + 1 ? " " : "") $i
	return out
}

function table(cpu, shown,    i, at, wide, long) {
	# As wide as the longest name of a process and of a function that is shown, within reason.
	wide = 16
	long = 32
	for (i = seen[cpu] - shown; i < seen[cpu]; i++) {
		at = i % n
		if (length(who[cpu, at]) > wide)
			wide = length(who[cpu, at])
		if (caller[cpu, at] != "" && length(what[cpu, at]) > long)
			long = length(what[cpu, at])
	}
	printf "%" wide "s %14s   %-" long "s    %s\n", "TASK-PID", "TIME", "FUNCTION", "CALLER"
	for (i = seen[cpu] - shown; i < seen[cpu]; i++) {
		at = i % n
		if (caller[cpu, at] == "")
			printf "%" wide "s %14s   %s\n", who[cpu, at], when[cpu, at], what[cpu, at]
		else
			printf "%" wide "s %14s   %-" long "s <- %s\n", who[cpu, at], when[cpu, at], what[cpu, at], caller[cpu, at]
	}
}

END {
	m = split(totals, pair, " ")
	for (i = 1; i < m; i += 2)
		total[pair[i]] = pair[i + 1]
	sort_numbers(cpus, ncpu)
	for (c = 1; c <= ncpu; c++) {
		cpu = cpus[c]
		shown = seen[cpu] < n + 0 ? seen[cpu] : n + 0
		printf "\nCPU %s, last %d of %s (newest last)\n", cpu, shown, commas(cpu in total ? total[cpu] : seen[cpu])
		table(cpu, shown)
	}
}
