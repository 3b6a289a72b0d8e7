# The proof: what changes in a file of a node does not become a result.
# shellcheck shell=bash disable=SC2154
load common
load hprun

spoil='head -c 700; head -c 1 >/dev/null; printf "\1"; cat' # changes byte 700

# changed FILE PROGRAM WHEN [BYTES]: damages a file on host b, once.  WHEN is
# "before" or "behind": before the program runs there, or after it.  It
# overwrites byte 700 of the file by \1, or the bytes from there on by BYTES.
# If FILE is -, changes byte 700 of the program's standard input, and if it is
# +, that of its standard output.  If FILE is <, removes the last BYTES bytes of
# its output.
changed() {
	case $1 in
	-) piped "$2" "{ $spoil; } | \"\$real\" \"\$@\"" ;;
	+) piped "$2" "set -o pipefail; \"\$real\" \"\$@\" | { $spoil; }" ;;
	'<') piped "$2" "set -o pipefail; \"\$real\" \"\$@\" | head -c -$4" ;;
	*) overwritten "$@" ;;
	esac
}

# piped PROGRAM COMMAND: the command runs once on host b instead of the program.
piped() {
	instead "$1" <<-EOF
		case \$PWD/\$1 in
		*/home/b/*--version) ;;
		*/home/b/*)
			[ -e '$PWD/changed' ] || {
				: >'$PWD/changed'
				$2
				exit
			}
			;;
		esac
		exec "\$real" "\$@"
	EOF
}

# overwritten FILE PROGRAM WHEN [BYTES]: changed, for a file with a name.
overwritten() {
	local change="[ -e '$PWD/changed' ] || {
		printf '${4-\\1}' | dd of=\"\$(echo $1)\" bs=1 seek=700 conv=notrunc 2>/dev/null
		: >'$PWD/changed'
	}"

	instead "$2" <<-EOF
		case \$PWD/\$1 in
		*/home/b/*--version | */home/b/*/count | */home/b/*/sample | *//dev/*) ;;
		*/home/b/*)
			if [ $3 = before ]; then
				$change
			else
				"\$real" "\$@" || exit
				$change
				exit
			fi
			;;
		esac
		exec "\$real" "\$@"
	EOF
}

@test "a byte that changes on a node is detected and located; --resume starts over" {
	lines 100000 >in # several parts of a cut
	sort in >want
	# What is found is the same with --keep; each method begins anew once.
	while IFS=: read -r a file program when keep said; do
		rm -rf home bin changed
		hosts a b
		changed "$file" "$program" "$when"
		run_ timeout 500 hprun -C cluster --transport ssh --rsh far -a "$a" \
			${keep:+--keep "$keep"} -o out in </dev/null
		[ -e changed ]
		status_is 2
		stderr_has "$said"
		stderr_has 'prove: failed'
		[ ! -e out ] || fail "there is a result"
		if [ -n "$keep" ]; then
			hprun -C cluster --transport ssh --rsh far -a "$a" \
				--resume kept -o out in </dev/null
			same out want
			rm -r kept home/*/work*/hprun.* out
		fi
		clean
	done <<-EOF
		exact:-:hpsort:before::on b: the records in run are not those given to the node
		exact:run:hpsplit:behind:kept:on b: the records in run are not
		psrs:from.0:hpmerge:before:kept:on b: the records in out are not those sent to the node
		exact:out:hpmerge:behind:kept:on b: the records in out are not
		exact:+:hpmerge:behind::on b: the records in out are not those sent to the node
		pss:cut:hpsplit:behind:kept:on b: the records in cut are not
		psop:from.0:hpsort:before:kept:all nodes: the records in out are not
		psop:out:hpsort:behind::all nodes: the records in out are not
		range:-:hpsort:before::on b: the records in out are not those sent to the node
		range:+:hpsort:behind::on b: the records in out are not those sent to the node
		range:out:hpsort:behind:kept:on b: the records in out are not those sent to the node
	EOF
}

@test "the proof is of the bytes that arrive, not of what a host says of them" {
	lines 100000 >in
	# Host b keeps a copy of its part, changes the part, and checks the copy.
	while IFS='|' read -r program said words; do
		rm -rf home bin changed
		hosts a b
		instead "$program" <<-EOF
			case \$PWD/\$1 in
			*/home/b/*--version) ;;
			*/home/b/*)
				"\$real" "\$@" || exit
				[ ! -e out ] || cp out good
				[ ! -e out ] || printf '\\1' | dd of=out bs=1 seek=700 conv=notrunc 2>/dev/null
				exit
				;;
			esac
			exec "\$real" "\$@"
		EOF
		instead hpcheck <<-'EOF'
			for word; do
				if [ "$word" = out ] && [ -e good ]; then
					set -- "$@" good
				else
					set -- "$@" "$word"
				fi
				shift
			done
			exec "$real" "$@"
		EOF
		# shellcheck disable=SC2086 # words
		run_ timeout 100 hprun -C cluster --transport ssh --rsh far $words in </dev/null
		status_is 2
		stderr_has "$said"
		stderr_has 'prove: failed'
		[ ! -e out ] || fail "there is a result"
		rm -rf kept home/*/work*/hprun.*
		clean
	done <<-EOF
		hpmerge|on b: the records in out are not those sent to the node|-a exact --keep kept -o out
		hpmerge|on b: the records in out are not those sent to the node|-a exact
		hpmerge|on b: the records in out are not those sent to the node|-a exact -R --keep kept -o out
		hpmerge|on b: the records in out are not those sent to the node|-a exact -u -o out
		hpsort|all nodes: the records in out are not those sent|-a psop -o out
		hpsort|on b: the records in out are not those sent to the node|-a range --keep kept -o out
	EOF
}

@test "a part of the result that arrives too short fails the run" {
	seq 100000 >in
	hosts a b
	# The last line lacks only its end, which sums do not show.
	for bytes in 1 3000; do
		rm -rf bin changed
		changed '<' hpmerge behind $bytes
		run_ hprun -a exact -C cluster --transport ssh --rsh far -o out in
		[ -e changed ]
		status_is 2
		stderr_has 'on b: the records in out are not those sent to the node'
		stderr_has 'prove: failed'
		[ ! -e out ]
	done
	clean
}

@test "with --in-place, parts that change after being read fail the proof" {
	hosts a b c
	for h in a b c; do
		lines 1000 >"home/$h/work; \"x' y/in"
	done
	# A line that is not in order, without a sum to compare.
	for words in '' '-u'; do
		rm -rf changed bin
		changed '../.hprun.*.1' hpmerge behind "${words:+\\n}\\1"
		run_ hprun -C cluster --transport ssh --rsh far $words --in-place in \
			--leave sorted
		status_is 2
		if [ -n "$words" ]; then
			stderr_has 'on b: hpcheck: '
		else
			stderr_has 'on b: the records in out are not'
		fi
		[ -z "$(find home -name sorted)" ]
	done
	rm -rf home/*/work*/in
	clean
}

@test "with -u, every changed record is detected, kept or dropped" {
	# Lines of 16 bytes, each key four times; byte 700 is of no key.
	awk 'BEGIN { for (i = 0; i < 100000; i++)
		printf "%06d %08d\n", i * 7919 % 25000, i }' >in
	sort -u -k 1,1 in >want
	while IFS=: read -r a file program when said; do
		rm -rf home bin changed
		hosts a b
		changed "$file" "$program" "$when"
		run_ timeout 500 hprun -C cluster --transport ssh --rsh far -a "$a" -u -k 1,1 \
			-o out in </dev/null
		[ -e changed ]
		status_is 2
		stderr_has "$said"
		[ ! -e out ] || fail "there is a result"
		run_ timeout 500 hprun -C cluster --transport ssh --rsh far -a "$a" -u -k 1,1 \
			-o out in </dev/null
		status_is 0
		stderr_is ''
		same out want
		rm out
		clean
	done <<-EOF
		exact:-:hpsort:before:on b: the records in run are not those given to the node
		exact:run:hpsort:behind:on b: the records in run are not
		psrs:from.0:hpmerge:before:on b: the records in out are not those sent to the node
		exact:from.1:hpmerge:before:on b: the records in out are not
		exact:out:hpmerge:behind:on b: the records in out are not
		pss:from.0:hpsort:before:all nodes: the records in out are not
		psop:from.1:hpsort:before:all nodes: the records in out are not
		psop:out:hpsort:behind:all nodes: the records in out are not
	EOF
}

@test "with -u, the parts of --leave are proven with the dropped records" {
	lines 3000 >in
	hosts a b
	for a in exact psop; do
		run_ hprun -C cluster --transport ssh --rsh far -a $a -u -k 1,1n --leave out in
		status_is 0
		[ "$(jq .records <<<"$output")" = 1009 ]
		sort -n -m -k 1,1 home/*/work*/out | cmp - <(sort -u -k 1,1n in)
		rm home/*/work*/out
	done
	hosts a b
	changed from.0 hpmerge before
	awk '{ printf "%03d %011d\n", NR % 500, NR }' in >wide
	run_ hprun -C cluster --transport ssh --rsh far -u -k 1,1n --leave out wide
	[ -e changed ]
	status_is 2
	stderr_has 'on b: the records in out are not'
	[ -z "$(find home -name out)" ]
	clean
}

@test "the sums of parts that are streams count records of any length" {
	# Longer than a piece of a stream, than the credit, empty, and without an end.
	awk 'BEGIN {
		for (i = 0; i < 60; i++) {
			n = i % 7 == 0 ? 6000000 / (i + 1) : i * 1009
			printf "%0*d\n%s", n + 1, i * 7919 % 61, i % 5 ? "" : "\n"
		}
		printf "the last line"
	}' >in
	sort in >want
	tr '\n' '\0' <in >zero
	sort -z zero >wantz
	head -c 7000100 in >records
	hosts a b
	run_ hprun -C cluster --transport ssh --rsh far -o out in
	status_is 0
	same out want
	run_ hprun -C cluster --transport ssh --rsh far -z -a psrs -o out zero
	status_is 0
	same out wantz
	run_ hprun -C cluster --transport ssh --rsh far -F record:70001 -o out records
	status_is 0
	hpcheck -F record:70001 out >/dev/null
	[ "$(hpcheck --sum -F record:70001 out)" = "$(hpcheck --sum -F record:70001 records)" ]
	rm out
	clean
}

@test "checksums of a rank that no node has, or of too many bytes, are refused" {
	printf 'a\n' | hpcheck --sum | jq -c '.sublist = 0' >sums.0
	jq -c '.sublist = 1' sums.0 >given
	run_ hprun --do compare to text given -- sums.0 -- name
	status_is 2
	stderr_has 'a checksum belongs to no node of this run'
	jq -c '.bytes = 9007199254740992 | range(2048) as $i | .' sums.0 >many
	run_ hprun --do compare to text many -- sums.0 -- name
	status_is 2
	stderr_has 'a checksum is of too many bytes'
}
