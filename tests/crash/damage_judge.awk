# damage_judge.awk - what "crashtrace dump -n 1" says of a damaged image -> its false claims, a line each
# SPDX-License-Identifier: GPL-2.0-only
# -v truth= found=: the records of the undamaged image and of the damaged one, as tracemem decode --format text has them;
# -v rc=: the status of the dump; bytes=: how many of the image are not zero.

function read(file, text, first, last,    line, f) {
	while ((getline line < file) > 0) {
		split(line, f, " ")
		text[line] = f[2]
		last[f[2]] = line
		if (!(f[2] in first))
			first[f[2]] = line
	}
	close(file)
}

function time_of(word) {
	return word == "beginning" ? -1 : word == "end" ? 1e18 : word + 0
}

BEGIN {
	read(truth, was, was_first, was_last)
	read(found, is, is_first, is_last)
	if (rc == 10 && bytes > 0)
		print "ends with 10, known to be empty"
}

/^region / && / stopped at [0-9.]+ s$/ {
	stopped = $(NF - 1)
}

/^records .* 0 lost/ {
	complete = 1
}

/^records .* salvaged one by one, .* lost: unknown; /{
	salvaged = 1
}

/^CPU [0-9?]+ silent for / && !/as far as/ {
	silent[$2] = 1
}

/^empty .* nothing tells whether there was one$/ {
	for (i = 3; i <= NF && $i ~ /^[0-9]+[,:]$/; i++)
		none[$i + 0] = 1
}

/^CPU [0-9]+ +no data/ {
	none[$2] = 1
	damaged[$2] = 1
}

/^CPU [0-9]+ +[0-9,]+ of [0-9,]+ parts cannot be read/ {
	damaged[$2] = 1
}

/^gap +CPU [0-9]+: / {
	sub(/:$/, "", $3)
	damaged[$3] = 1
	words = ""
	for (i = 4; i <= NF; i++)
		if ($i ~ /^([0-9]+[.][0-9]+|beginning|end)$/)
			words = words " " $i
	split(words, at, " ")
	ngap[$3]++
	from[$3, ngap[$3]] = time_of(at[1])
	to[$3, ngap[$3]] = time_of(at[2])
}

/^CPU [0-9]+, last 1 of .* not for certain its last/ {
	sub(/,$/, "", $2)
	unsure[$2] = 1
}

/^CPU [0-9]+, last 1 of .*[(]newest last[)]$/ {
	sub(/,$/, "", $2)
	certain[$2] = 1
}

END {
	if (rc)
		exit
	for (cpu in certain)
		if (is_last[cpu] != was_last[cpu])
			print "last of CPU " cpu " is not its last: " is_last[cpu] " / " was_last[cpu]
	for (line in was) {
		split(line, f, " ")
		if (f[1] + 0 > newest + 0)
			newest = f[1]
		if (line in is)
			continue
		missing++
		if (salvaged)
			continue
		cpu = was[line]
		split(is_last[cpu], end, " ")
		# How far back it reaches, a report does not promise, unless nothing is lost.
		split(is_first[cpu], start, " ")
		said = (cpu in none) || !complete && f[1] + 0 < start[1] + 0 || (cpu in unsure) && f[1] + 0 > end[1] + 0
		for (i = 1; i <= ngap[cpu]; i++)
			if (f[1] >= from[cpu, i] - 0.000001 && f[1] <= to[cpu, i] + 0.000001)
				said = 1
		if (!said && !unsaid[cpu]++)
			print "a record of CPU " cpu " is missing outside the gaps: " line
	}
	if (complete && missing)
		print "0 lost, but " missing " are missing"
	if (stopped != "" && (stopped - newest > 0.000001 || newest - stopped > 0.000001))
		print "stopped at " stopped ", but " newest
	for (line in is)
		if (!salvaged && !(line in was) && !(is[line] in damaged) && !invented[is[line]]++)
			print "a record of CPU " is[line] " that never was, and the CPU is not said to be damaged: " line
}
