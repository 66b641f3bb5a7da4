#!/bin/sh
# plot.sh POINTS - draw the "POINT" lines of a measure, a file NAME.svg a series, into this folder; needs gnuplot
# SPDX-License-Identifier: GPL-2.0-only
set -u

bench=$(cd "$(dirname "$0")" && pwd) || exit
command -v gnuplot >/dev/null || {
	echo 'plot.sh: no gnuplot here (package gnuplot-nox): no plots' >&2
	exit 0
}
data=$(mktemp) || exit
trap 'rm -f "$data"' EXIT
cut -f 2 "$1" | sort -u | while IFS= read -r series; do
	awk -F '\t' -v series="$series" '$2 == series { print $3, $4 }' "$1" | sort -n >"$data"
	name=$(printf '%s\n' "$series" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9]/-/g; s/--*/-/g')
	gnuplot <<-END
		set terminal svg size 640,400
		set output '$bench/$name.svg'
		set logscale xy
		set xlabel '${series#*: }'
		set ylabel 'ms of CPU'
		set grid
		plot '$data' using 1:2 with linespoints pt 7 title '${series%%:*}'
	END
done
