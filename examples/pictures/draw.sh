#!/bin/sh
# Draws the pictures that README shows.  The directory has their data.
#
#	examples/pictures/draw.sh [DIR]	(`make pictures`)
#
# DIR, by default the directory of this script, gets:
#
# flow.svg	what a sort does: a million records on four nodes of the speeds 8,
#		5, 3 and 1 before the exchange, and who sends how many to whom
# speed.svg	hpsort and hpmerge beside other programs, from speed.txt
# trace.svg	the steps of a sort on four hosts, from trace.jsonl, which
#		record-trace.sh recorded
# balance.svg	when these hosts were done, and when plan.jsonl wanted them done
# experiment.svg	the main experiment of the papers, from the table of Figure 2 in
#		examples/papers/RESULTS.md, which `make headline` measures

set -eu
here=$(cd "$(dirname "$0")" && pwd)
! bin=$(cd "${HPBIN:-$here/../../build/bin}" 2>&1 && pwd) || PATH=$bin:$PATH
LC_ALL=C.UTF-8
export PATH LC_ALL
to=$(cd "${1:-$here}" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/hppictures.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

hpgen 1M records
hpsolve -n 1M -k 8,5,3,1 >plan
hpsplit deal -P plan -F gensort records >dealt
for i in 0 1 2 3; do
	hpsort -F gensort -o "run.$i" --extent "$(jq -r \
		"select(.rank == $i) | \"\\(.offset):\\(.bytes)\"" dealt)" records
	hpsplit sample -F gensort -a psrs -P plan -N "$i" "run.$i"
done >candidates
hpsplit pivots -F gensort -a psrs -P plan candidates >sublists
for i in 0 1 2 3; do
	hpsplit cut -F gensort -L sublists --extents -N "$i" "run.$i"
done | cat sublists - | hpplot flow -o "$to/flow.svg"

hpplot trace -o "$to/trace.svg" "$here/trace.jsonl"
cat "$here/plan.jsonl" "$here/trace.jsonl" | hpplot balance -o "$to/balance.svg"

# Bars like those of hpplot compare.
rows=$(grep -vc '^#' "$here/speed.txt")
grep -v '^#' "$here/speed.txt" | awk -F ';' '
	{ printf "%d;%s: %s;%s;%s times as long as %s s\n", NR, $1, $3, $4, $4, $2 }' \
	>bars
gnuplot <<-end | sed 's|<title>Gnuplot</title>|<title>Times of other programs</title>|
	s|<title>gnuplot_plot_[^<]*</title>||' >speed.svg
	set terminal svg noenhanced size 960, $((rows * 40 + 150)) background "white" \\
		font "sans-serif,12"
	set datafile separator ";"
	set title "Times of other programs, compared with hpsort and hpmerge" offset 0, 1.5
	set border 3
	unset key
	set label "hpsort, hpmerge" at 1, graph 1 center offset 0, 0.7
	set lmargin at screen 0.40
	set rmargin at screen 0.97
	set tmargin 5
	set xrange [0:15.5]
	set xtics out nomirror 0, 1, 10
	set xlabel "time, divided by the time of hpsort or hpmerge"
	set yrange [$rows + 0.6:0.4]
	set ytics out nomirror scale 0
	set grid xtics lt 1 lw 0.5 lc rgb "#dddddd"
	set style fill solid 1 border lc rgb "#000000"
	plot "bars" using 3:1:(0):3:(\$1 - 0.36):(\$1 + 0.36):ytic(2) \\
			with boxxyerror lw 0.6 fc rgb "#56b4e9" notitle, \\
		"" using (\$3 + 0.15):1:4 with labels left notitle, \\
		"+" using (1):(\$0 + 0.4) every ::0::$((rows + 1)) with lines lw 2 \\
			lc rgb "#000000" notitle
end
mv speed.svg "$to"

# Of each row: the paper's seconds, those of the whole run here, of sort and merge,
# and of the exchange, all divided by those of A.3.
sed -n 's/^| A\.\([123]\): \([^|]*\) |\(.* to .*\)/\1;\2;\3/p' "$here/../papers/RESULTS.md" |
	tr '|' ';' | awk -F ';' '
	{ n = $1; name[n] = $2; paper[n] = $3 + 0; whole[n] = $4 + 0
		compute[n] = $6 + 0; exchange[n] = $7 + 0 }
	END {
		for (n = 1; n <= 3; n++) {
			c = compute[n] / whole[3]
			e = c + exchange[n] / whole[3]
			printf "%d;A.%d: %s;%.4f;%.4f;%.4f;%.4f;%.2f s;%.1f s\n", n, n,
				name[n], c, e, whole[n] / whole[3], paper[n] / paper[3],
				whole[n], paper[n]
		}
	}' >arms
gnuplot <<-'end' | sed 's|<title>Gnuplot</title>|<title>Equal and planned shares</title>|
	s|<title>gnuplot_plot_[^<]*</title>||' >experiment.svg
	set terminal svg noenhanced size 960, 380 background "white" \
		font "sans-serif,12"
	set datafile separator ";"
	set title "Equal and planned shares on nodes of two speeds (GPC 2006, Figure 2)"
	set border 3
	unset key
	set lmargin at screen 0.27
	set rmargin at screen 0.97
	set xrange [0:2]
	set xtics out nomirror 0, 0.5, 2
	set xlabel "time, divided by the time of A.3"
	set yrange [3.6:0.4]
	set ytics out nomirror scale 0
	set grid xtics lt 1 lw 0.5 lc rgb "#dddddd"
	set style fill solid 1 border lc rgb "#000000"
	plot "arms" using 3:1:(0):3:($1 - 0.34):($1 - 0.02):ytic(2) \
			with boxxyerror lw 0.6 fc rgb "#56b4e9" notitle, \
		"" using 4:1:3:4:($1 - 0.34):($1 - 0.02) \
			with boxxyerror lw 0.6 fc rgb "#e69f00" notitle, \
		"" using 5:1:4:5:($1 - 0.34):($1 - 0.02) \
			with boxxyerror lw 0.6 fc rgb "#ffffff" notitle, \
		"" using 6:1:(0):6:($1 + 0.02):($1 + 0.34) \
			with boxxyerror lw 0.6 fc rgb "#cccccc" notitle, \
		"" every ::0::0 using ($3 / 2):($1 - 0.18):("sort and merge") \
			with labels notitle, \
		"" every ::0::0 using (($3 + $4) / 2):($1 - 0.18):("exchange") \
			with labels notitle, \
		"" every ::0::0 using (($4 + $5) / 2):($1 - 0.18):("other steps") \
			with labels notitle, \
		"" every ::0::0 using ($6 / 2):($1 + 0.18):("the paper, 96 nodes") \
			with labels notitle, \
		"" using ($5 + 0.02):($1 - 0.18):7 with labels left notitle, \
		"" using ($6 + 0.02):($1 + 0.18):8 with labels left notitle
end
mv experiment.svg "$to"
