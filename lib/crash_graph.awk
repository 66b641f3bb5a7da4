# crash_graph.awk - lines of tracemem decode --format text -> a call graph for each CPU
# SPDX-License-Identifier: GPL-2.0-only
# Input: "TIME CPU COMM-PID FLAGS KIND IP PARENT depth=N [ns=N]"; graph_entry and graph_exit are drawn, and a call that
# has not returned when the trace ends is what was running: it is marked. -v damaged=1: its return may as well be lost; -v unsure=1: names
# may be wrong.

$5 != "graph_entry" && $5 != "graph_exit" {
	next
}

{
	cpu = $2
	if (!(cpu in n)) {
		cpus[++ncpu] = cpu
		n[cpu] = 0
	}
	depth = number("depth=") + 0
	i = ++n[cpu]
	kind[cpu, i] = $5
	deep[cpu, i] = depth
	name[cpu, i] = look($6)
	when[cpu, i] = micro($1)
	who[cpu, i] = task_text($3)
	ns[cpu, i] = number("ns=")
	if ($5 == "graph_entry") {
		open[cpu, depth, $3] = i
	} else if ((cpu, depth, $3) in open) {
		# The entry is shown with its duration; one without calls in it takes one line.
		start = open[cpu, depth, $3]
		took[cpu, start] = ns[cpu, i]
		leaf[cpu, start] = start == i - 1
		if (start == i - 1)
			kind[cpu, i] = ""
		delete open[cpu, depth, $3]
	}
}

function number(key,    i) {
	for (i = 8; i <= NF; i++)
		if (index($i, key) == 1)
			return substr($i, length(key) + 1)
	return ""
}

function us(value) {
	return value == "" ? "" : sprintf("%.3f us", value / 1000)
}

END {
	if (!ncpu)
		print "no graph entries: arm with -g records them"
	sort_numbers(cpus, ncpu)
	for (c = 1; c <= ncpu; c++) {
		cpu = cpus[c]
		printf "\nCPU %s\n%20s %14s %14s   %s\n", cpu, "TASK-PID", "TIME", "DURATION", "FUNCTION CALLS"
		for (i = 1; i <= n[cpu]; i++)
			if (kind[cpu, i] != "")
				draw(cpu, i)
	}
}

function draw(cpu, i,    text, time) {
	if (kind[cpu, i] == "graph_exit") {
		time = us(ns[cpu, i])
		text = "}"
	} else if ((cpu, i) in took) {
		time = leaf[cpu, i] ? us(took[cpu, i]) : ""
		text = name[cpu, i] (leaf[cpu, i] ? "();" : "() {")
	} else {
		time = ""
		text = name[cpu, i] "() {   <- " (damaged != "" ? "no return can be read" : "has not returned")
	}
	printf "%20s %14s %14s   %s%s%s\n", who[cpu, i], when[cpu, i], time, indent(deep[cpu, i]), text,
		(unsure != "" ? "   (name unsure)" : "")
}

function indent(depth,    out) {
	# A damaged record may name any depth.
	for (depth = depth > 50 ? 50 : depth; depth > 0; depth--)
		out = out "  "
	return out
}
