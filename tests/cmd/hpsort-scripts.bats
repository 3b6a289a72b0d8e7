# shellcheck shell=bash disable=SC2154
# hpsort(1) as scripts call sort(1): the tables that they sort, with the options
# that are found in them, oddities and all.
load common

# Few records: no work for several threads.
setup() {
	[ "${HP_SANITIZER-}" != thread ] || skip "one thread"
	begin
}

# numbers SEED: four a line, for awk to write a table of.
numbers() {
	hpgen -F u32 --seed "$1" 4000 | od -An -v -tu4 -w16
}

# as_scripts FILE: what sort does with it, for each line of options on the
# standard input: output, status, and the message's first line but for the name.
as_scripts() {
	local words options count=0 expected actual

	while read -r words; do
		eval "options=($words)"
		expected=0 actual=0
		sort "${options[@]}" <"$1" >expected 2>expected.err || expected=$?
		hpsort "${options[@]}" <"$1" >actual 2>actual.err || actual=$?
		[ $actual = $expected ] ||
			fail "sort $words: status $actual, expected $expected" \
				"$(cat actual.err)"
		sed -i 's/^sort:/hpsort:/; q' expected.err
		sed -i q actual.err
		same actual.err expected.err || fail "sort $words"
		same actual expected || fail "sort $words"
		count=$((count + 1))
	done
	[ $count -gt 0 ] || fail "no options"
}

@test "accounts: fields between colons are sorted as by sort" {
	numbers 1 | awk '{ n = $1 % 900
		printf "%s%d:x:%d:%d:%s,,,:/home/u%d:/bin/%s\n",
			substr("rootdaemonwww-dataGames", 1 + $2 % 19, $3 % 5), n,
			$3 % 2000, $4 % 50, $2 % 3 ? "Name " $2 % 77 : "", n,
			$4 % 4 ? "bash" : "false" }' >f
	as_scripts f <<-'EOF'
		-t: -k3 -n
		-t: -k 3n
		-nt: -k3
		-t : -k 4,4n -k 3,3nr
		-t: -k7 -k1,1
		-t: -k2 -rn
		-t: -k1,1 -u
		-u -t: -k4,4n
		-t: -k 7,99 -u
		-t: -k 7,99 -k 1,1gr
		--field-separator=: --key=3 --numeric-sort --reverse
		-t: -k5,5f -k1.2,1.3
		-t: -k1.5n
		-t: +2 -3n
		-t: +2n -s
		-s -t: -k4,4
		-f -t: -k1,1
		-bfdt: -k5 -k1r
	EOF
}

@test "tables with commas: empty fields, quotes and dates are sorted as by sort" {
	numbers 2 | awk '
		NR == 1 { print "id,city,temperature,date,note" }
		{ printf "%d,%s,%s,%02d/%02d/%d,%s\n", $1 % 3000,
			$2 % 5 ? substr("Oslo Rome,x Lima  Bonn", 1 + $2 % 18, 4) : "",
			$3 % 9 ? ($3 % 800 - 400) / 10 : "n/a", 1 + $4 % 28,
			1 + $1 % 12, 1990 + $2 % 40,
			$3 % 3 ? "\"a, \"\"b\"\"\"" : "" }' >f
	as_scripts f <<-'EOF'
		-t, -k3,3nr
		-t, -k3 -rn
		-t, -k1,1n
		-t',' -k2,2 -k1,1n
		-t, -k4.7n -k4.4,4.5n -k4.1,4.2n
		-t, -k4.7,4.10n -k4.4,4.5n -k4n
		-t, -k +3 -n -r
		-t, -k3g
		--field-separator=, --key=3 -g
		--field-separator=, --key=2,2 --key=1,1
		-t, -nk 3
		-t, -k1.9n
		-t ',' -k5 -k2,2d
		-t, -k6,6nr
		-t, -k2,1
		-t, -k0
		-t, -k1,1 -k
		-tab -k1
		-t '' -k1
		--key=2,1,3 -t,
	EOF
}

# One NaN: coreutils 9.1 takes two for unlike each other under -u.
@test "tables with tabs: intervals and scores are sorted as by sort" {
	numbers 3 | awk -v OFS='\t' '{ start = $2 % 100000
		print "chr" ($1 % 24 ? $1 % 24 : "X"), start, start + $3 % 500,
			"read" $4 % 300, $3 % 61, $4 % 2 ? "+" : "-", $1 % 100 / 3,
			NR == 77 ? "nan" : $2 % 7 ? $3 / 1e9 "e-" $4 % 90 : "-inf" }
		' >f
	as_scripts f <<-'EOF'
		-k1,1 -k2,2n
		-k1,1 -k2,2n -k3,3n
		-k1,1V -k2,2n -k3,3n
		-k 4,4 -k 1,1 -k 2,2n -k 3,3n
		-u -k1,1
		-u -k4,4 -k8,8g
		-s -k1,1 -k7,7nr -k5,5nr
		-k4,4 -k7,7nr -k8,8g
		-t $'\t' -k8 -g -r
		-t $'\t' -k8,8g -s
		-t $'\t' -n -r -k3,3
		-t$'\t' -k1,1 -k3,3nr -k2,2
		-t "	" -k1,1 -k3,3n -k4,4n -s
		-t $'\t' -k1,1 -S 20M --parallel=2 -T .
		--parallel=4 --buffer-size=10% -k 4,4 -k 1,1 -k 2,2n
		-k2,2d -k6,6d -k4,4n -k8,8n -k1,1n -k5,5n -k3,3n
		-k1,1 -t " "
		-k1.4,1n -k2n
		-t '\0' -k1
		-k5,5rn -u
	EOF
	sort -k4,4 -k7,7nr f >g
	as_scripts g <<-'EOF'
		-u -k4,4 --merge
		-m -k4,4 -k7,7nr
		-c -k4,4
		-c -k4,4 -u
		-C -k4,4 -k7,7n
	EOF
}

@test "sizes as du -h and df -h print them are sorted as by sort" {
	numbers 4 | awk '{ printf "%s%s\t./%s/%d\n", $1 % 1024 / ($2 % 3 ? 1 : 10),
		substr("KMGTP", 1 + $2 % 6, 1), substr("srv var .cache", 1 + $3 % 9,
		4), $4 % 40 }' >f
	as_scripts f <<-'EOF'
		-h
		-rh
		-hr
		-h -u
		-k1h
		-rhk 1,1
		-k2 -k1hr
		-k2h
		--human-numeric-sort --reverse
		-n
		-hs
		-t. -k2h
	EOF
}

@test "columns as ps and ls print them are sorted as by sort" {
	numbers 5 | awk '{ printf "%-8s %6d %4.1f %4.1f %7d ?  %s %02d:%02d %s%s\n",
		$1 % 3 ? "root" : "www-data", $2 % 32768, $3 % 1000 / 10,
		$4 % 500 / 10, $1 % 900000, $2 % 2 ? "Ssl" : "R+", $3 % 24, $4 % 60,
		$1 % 5 ? "" : " ", "/usr/bin/p" $2 % 50 " --x" }' >f
	as_scripts f <<-'EOF'
		-k 3 -nr
		-nrk 3,3
		-k3 -rn
		-k2 -n
		-k2n
		-k2h
		-k 4 -r
		-rk4,4n
		-k1,1 -k3,3nr
		-k8 -k 2,2n
		-k8.2
		-k8.2b,8.3b -k8.4
		-b -k9
		-k9b
		-k 5n,5
		--key=5 --numeric-sort
		--key=9 --ignore-case
		+4 -n
		+0 -1 +2 -3nr
		-k10,10 -k2,2nb
		-k1,1 -k2,2 -t' '
		-t' ' -k2
		-t ' ' -nk 3
	EOF
}

@test "versions, tags and file names are sorted as by sort" {
	numbers 6 | awk '{ printf "%s%d.%d%s%s\n", substr("vrelease-./lib/gcc-",
		1 + $1 % 14, $2 % 6), $3 % 3, $4 % 21, $1 % 3 ? "." $2 % 12 : "",
		$3 % 4 ? "" : substr("-rc1~beta.tar.gz_2+git.orig.deb", 1 + $4 % 22,
		1 + $1 % 9) }' >f
	as_scripts f <<-'EOF'
		-V
		-rV
		-Vu
		--version-sort
		-V -r -u
		-t. -k1,1 -k2,2n -k3,3n
		-t- -k2V
		--version-sort --field-separator=- --key=2,2
		--version-sort --field-separator=- --key=2 --reverse
		-t / -k 3V
		-t. -nk1 -nk2 -nk3
		-k1,1Vr -s
		-fV
		-C -V
		-c -V
	EOF
}

@test "the output of uniq -c is sorted as by sort" {
	numbers 7 | awk '{ print substr("GET POST /a/b /c?d=1 404 200",
		1 + $1 % 20, 1 + $2 % 9) }' | sort | uniq -c >f
	as_scripts f <<-'EOF'
		-n
		-rn
		-n -r
		-nr -k1,1
		-k1,1nr -k2
		-k2
		-k2,2 -k1nr
		-rnk1
		-bk2
		-gr
		-s -n
		-b -k1,1nr -k2,2f
		-d
		-i
	EOF
}

@test "IP addresses and dated logs are sorted as by sort" {
	numbers 8 | awk '{ split("Jan Feb Mar Apr may JUN Jul Aug Sep Oct Nov Dec",
		m, " ")
		printf "%d.%d.%d.%d - - [%02d/%s/%d:%02d:%02d:%02d +0000] \"GET " \
		"/%d HTTP/1.1\" %d %d\n", 1 + $1 % 3 * 99, $2 % 2 * 168, $3 % 11,
		$4 % 256, 1 + $1 % 28, m[1 + $2 % 12], 2024 + $3 % 3, $4 % 24,
		$1 % 60, $2 % 60, $3 % 99, $4 % 2 ? 200 : 404, $1 % 50000 }' >f
	as_scripts f <<-'EOF'
		-t. -k1,1n -k2,2n -k3,3n -k4,4n
		-n -t . -k 1,1 -k 2,2 -k 3,3 -k 4,4
		-t . -nk1,1 -nk2,2 -nk3,3 -nk4,4 -u
		-V
		-k4.9,4.12n -k4.5,4.7M -k4.2,4.3n -k4.14,4
		-k 4.5M
		-t/ -k2M -k3.1,3.4n
		-k 4
		-s -k1,1
		-u -k1,1
		-k9 -nr
		-k9,9nr -k10,10n
		-t '"' -k2 -k1
		-t'[' -k2.8,2.11 -k2.4,2.6M -k2.1,2.2
		-nu
		-M -k4
		-k 4.9bn
	EOF
}

@test "file names that end with NUL are sorted as by sort" {
	numbers 9 | awk '{ printf "%d.%010d ./%s/f%d\n%s%c", $1 % 3000, $2,
		substr("A bC  d_e", 1 + $3 % 6, 3), $4 % 500, $2 % 2 ? "x" : "", 0
		}' >f
	as_scripts f <<-'EOF'
		-z
		-zu
		-zn
		-zrn
		-z -k2
		-zV
		-z -k 1,1nr
		-z -t/ -k2,2 -k3
		-zk2 -u
		--zero-terminated --unique --key=2
		-z -t $'\n' -k2
	EOF
}

@test "words without letter case and in dictionary order are sorted as by sort" {
	numbers 10 | awk '{ print substr("the The tHE -a_b ab A-B \011x  y",
		1 + $1 % 27, $2 % 7) ($3 % 4 ? "" : " " $4 % 30) }' >f
	as_scripts f <<-'EOF'
		-u
		-r
		-f
		-fu
		-d
		-df
		-dfu
		-if
		-b
		-bf -k1,1
		-u -k1f
		-r -u
		-n -u
		-g -u
		-k2,2n -k1,1f
		-k1.2,1.3 -r
		-k2b,2
		-k 1.1r,1.1
		-x
		--sort=human
		--sort=numeric -r
		--ignore-case --dictionary-order
		-n -g
		-c
		-C
	EOF
}

@test "--stats counts the merged records, in one pass or several, with and without -u" {
	local i options

	for i in 1 2 3 4 5; do
		seq "$i" $((i + 1)) 30000 | sort >"in.$i"
	done
	# The last line of one has no end; it is counted with one.
	printf zz >>in.1
	for options in '' -u '--batch-size 2' '-u --batch-size 2' '-u --parallel 1'; do
		# shellcheck disable=SC2086 # words
		hpsort -m --stats $options in.? in.5 >out 2>stats
		# shellcheck disable=SC2086 # words
		sort -m $options in.? in.5 | same out -
		[ "$(jq -c '[.records, .bytes, .written]' stats)" = \
			"[$(cat in.? in.5 | wc -l | awk '{ print $1 + 1 }'),$(
			cat in.? in.5 | wc -c | awk '{ print $1 + 1 }'),$(wc -l <out)]" ]
	done
}
