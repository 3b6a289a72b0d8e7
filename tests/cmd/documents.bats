# shellcheck shell=bash disable=SC2154
# Documents as nobody should write them, for every program in C that reads one.
load common

# documents: valid documents, whose last lines the tests change.
documents() {
	cat >cluster <<-'END'
		{"type":"node","node":"a","speed":1}
		{"type":"node","node":"b","port":1,"speed":2,"capacity":1000,"latency_s":1,"seconds_per_item":1,"points":[{"n":10,"seconds":1,"low":1,"high":1,"runs":1}]}
	END
	cat >plan <<-'END'
		{"type":"share","rank":0,"node":"a","n":2,"offset":0,"seconds":1}
		{"type":"share","rank":1,"node":"b","n":2,"offset":2,"seconds":1}
		{"type":"plan","n":4,"nodes":2,"method":"exact","cost":"n","makespan":1,"bound":1,"optimal":true,"unique":false}
	END
	cat >sublists <<-'END'
		{"type":"sublist","sublist":0,"rank":0,"node":"a","offset":0,"records":2,"nodes":2,"until":{"key":"62","rank":0,"index":0}}
		{"type":"sublist","sublist":1,"rank":1,"node":"b","offset":2,"records":2,"nodes":2}
	END
	cat >open <<-'END'
		{"type":"sublist","sublist":0,"rank":0,"node":"a","until":{"key":"62","rank":0,"index":0},"target":2,"low":{"below":0},"high":{"below":4,"key":"63","rank":0,"index":1},"every":1}
	END
	printf '{"type":"candidate","key":"6%d","rank":%d,"index":0,"records":2}\n' \
		1 0 2 1 >candidates
	printf '{"type":"count","sublist":%d,"rank":%d,"records":2}\n' \
		0 0 1 1 >counts
	printf '{"type":"extent","sublist":0,"rank":0,"offset":%d,"bytes":2,"records":1}\n' \
		0 2 >extents
	printf '{"type":"step","run":"r","node":"%s","rank":0,"step":"sort","start_s":1,"end_s":2,"records":10,"bytes":10}\n' \
		a b >trace
	printf '{"type":"summary","records":2,"bytes":4,"sorted":true,"checksum":"1","duplicates":0,"unordered":0,"first_unordered":0,"first":"61","last":"6%d"}\n' \
		1 2 >summary
	printf '\n{"type":"node","node":"a","dir":"."}\n' >one
}

# The file readers has the commands that read each document, F.  All other words of
# a command are files beside it.
setup() {
	begin
	documents
	printf 'a\na\nb\nb\n' >in
	printf 'a\nb\n' >part
	cat >readers <<-'END'
		cluster hpsolve -n 100 F
		cluster hpprofile learn F trace
		cluster hpsplit assign -C F counts
		one hpexchange -C F -N 0 -i part -x extents
		plan hpsolve --check F cluster
		plan hpsplit deal -P F in
		plan hpsplit sample -a psrs -P F -N 0 part
		plan hpsplit pivots -a psrs -P F candidates
		sublists hpsplit cut -L F -N 0 --extents part
		sublists hpsplit count -L F -N 0 part
		sublists hpsplit assign -C cluster -L F counts
		sublists hpsplit deal -L F -N 0 part
		candidates hpsplit pivots -a pss -P plan F
		candidates hpsplit count -L F -N 0 part
		counts hpsplit assign -C cluster F
		extents hpexchange -C one -N 0 -i part -x F
		trace hpprofile learn cluster F
		summary hpcheck --combine F
	END
}

# read_by COMMAND...: what reads the document F, a name that no word has else.
read_by() {
	run_ "$@" </dev/null
}

# refused LINE COMMAND...: with that line, in one line, and nothing put out.
refused() {
	local line=$1

	shift
	read_by "$@"
	[[ $status = 2 && -z $output && $stderr == "$1: "*"F: $line"* && $stderr != *$'\n'* ]] ||
		fail "$*" "status $status, expected 2" "stdout: $output" \
			"stderr: $stderr" "expected in it: F: $line" "$([ ! -f F ] || tail -c 300 F)"
}

# Changes of the last line, as sed(1) makes them, that no document bears.
no_line() {
	cat <<-'END'
		s/..$//
		s/$/}/
		s/^{/[/
		s/.*/[&]/
		s/.*/"&/
		s/^{/{"type":"node",/
		s/^{/{"more":1,"more":1,/
		s/^{/{"\\u0000":1,/
		s/^{/{"more":"\\u0000",/
		s/^{/{"more":"\\ud800",/
		s/^{/{"more":"\\udc00\\ud800",/
		s/^{/{"more":"\xff",/
		s/^{/{"more":"\xc0\x80",/
		s/^{/{"more":"\xed\xa0\x80",/
		s/^{/{"more":"\x01",/
		s/^{/{"more\x00":1,/
		s/^{/{"more":1e400,/
		s/^{/{"more":NaN,/
		s/^{/{"more":-Infinity,/
		s/^{/{"more":01,/
		s/^{/{"more":0x1,/
		s/^{/\xef\xbb\xbf&/
		s/"type":"[a-z]*"/"type":7/
		s/"type":"[a-z]*"/"type":null/
		s/"type":"[a-z]*",//
		s/"type":"[a-z]*"/"type":"\\n"/
	END
}

@test "every program that reads documents rejects a malformed line" {
	local document command n change

	no_line >changes
	for document in $(cut -d ' ' -f 1 readers | uniq); do
		n=$(wc -l <"$document")
		sed -n "s/^$document //p" readers >those
		while IFS= read -r change; do
			sed "\$ $change" "$document" >F
			while read -r command; do
				# shellcheck disable=SC2086 # words
				refused "line $n: " $command
			done <those
		done <changes
	done
}

@test "every program that reads documents rejects deep nesting, random bytes and directories" {
	local document command

	printf '[%.0s' {1..100000} >deep
	head -c 100000 "$HPBIN/hpsolve" >rubbish
	mkdir directory
	while read -r document command; do
		for f in deep rubbish /dev/zero; do
			ln -fs $f F
			# shellcheck disable=SC2086 # words
			refused 'line 1: column ' $command
		done
		ln -fns directory F
		# shellcheck disable=SC2086 # words
		refused 'Is a directory' $command
		rm F
		# shellcheck disable=SC2086 # words
		refused 'No such file or directory' $command
	done <readers
}

@test "every program that reads documents accepts CR, blank lines and a byte order mark" {
	local document command want

	while read -r document command; do
		cp "$document" F
		# shellcheck disable=SC2086 # words
		read_by $command
		want=$status:$output:$stderr
		{
			printf '\xef\xbb\xbf \r\n'
			sed 's/,"/ ,\t&/g; s/,\t,/,\t/g; s/$/\r\n/' "$document"
		} | head -c -3 >F
		# shellcheck disable=SC2086 # words
		read_by $command
		[ "$status:$output:$stderr" = "$want" ] && [ "$status" != 2 ] ||
			fail "$command: $status:$output:$stderr" "expected: $want"
	done <readers
}

# Members of the last line, and what they are: a count, one above 0, a number
# that is not below 0 or any, a time above 0 or since 1970, hex, a text, true or false.
members() {
	cat <<-'END'
		cluster port above
		cluster speed number
		cluster capacity count
		cluster latency_s number
		cluster seconds_per_item number
		cluster points[0].n above
		cluster points[0].seconds time
		cluster points[0].low time
		cluster points[0].high time
		cluster points[0].runs above
		cluster node text
		cluster host text
		cluster dir text
		cluster workload text
		cluster beyond text
		plan n count
		plan nodes count
		plan makespan any
		plan method text
		plan cost text
		plan optimal bool
		sublists sublist count
		sublists rank count
		sublists nodes count
		sublists offset count
		sublists records count
		sublists node text
		sublists until.rank count
		open until.rank count
		open until.index count
		open until.key hex
		open target count
		open low.below count
		open high.below count
		open high.key hex
		open every above
		candidates key hex
		candidates rank count
		candidates index count
		candidates records count
		counts sublist count
		counts rank count
		counts records count
		extents sublist count
		extents rank count
		extents offset count
		extents bytes count
		extents records count
		trace start_s moment
		trace end_s moment
		trace records count
		summary records count
		summary bytes count
		summary sorted bool
		summary checksum hex
		summary duplicates count
		summary unordered count
		summary first_unordered count
		summary unique bool
		summary first hex
		summary last_rest hex
	END
}

# not_a KIND: values that none is.
not_a() {
	case $1 in
	count | above) echo '-1 1.5 9007199254740993 18446744073709551616 1e308' ;;&
	number | time) echo '-1 -1e-300' ;;&
	above | time) echo '0 -0 0.0' ;;&
	time) echo '1e300' ;;&
	moment) echo '-1e300 1e300' ;;&
	count | above | number | any | time | moment) echo '"" "1" true [] {} [1]' ;;
	hex) echo '0 true [] {} "0g" "0G" "\u00e9" " 1"' ;;
	text) echo '0 1e308 true [] {} ["a"]' ;;
	bool) echo '0 1 "" "true" [] {}' ;;
	esac
}

@test "members of a wrong type are rejected in each document" {
	local document member kind value command n changed

	members >all
	while read -r document member kind; do
		command=$(sed -n "s/^$document //p" readers | head -n 1)
		[ "$document" != open ] ||
			command='hpsplit sample -a exact -L F -N 0 part'
		n=$(wc -l <"$document")
		changed=$(jq -c "if input_line_number == $n
			then .$member = \"@\" else . end" "$document")
		for value in $(not_a "$kind"); do
			printf '%s\n' "${changed/\"@\"/"$value"}" >F
			# shellcheck disable=SC2086 # words
			refused "line $n: " $command
		done
	done <all
}
