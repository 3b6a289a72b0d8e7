# shellcheck shell=bash disable=SC2154
load common

# The documents that most tests draw.
documents() {
	hpsolve -n 1M -k 8,5,3,1 >plan
	hpsolve -n 1M -k 8,5,3,1 --compare >compare
	cat >cluster <<-'end'
		{"type":"node","node":"old","points":[{"n":1000,"seconds":0.01,"low":0.009,"high":0.02},{"n":90000,"seconds":1}]}
		{"type":"node","node":"new","points":[{"n":1000,"seconds":0.004},{"n":90000,"seconds":0.4}],"beyond":"stop"}
		{"type":"node","node":"flat","points":[{"n":1000,"seconds":0.02}],"latency_s":0.1,"capacity":5000}
	end
	cat >trace <<-'end'
		{"type":"step","node":"launcher","rank":null,"step":"plan","start_s":100,"end_s":101}
		{"type":"step","node":"node0","rank":0,"step":"sort","start_s":101,"end_s":104.5}
		{"type":"step","node":"node1","rank":1,"step":"sort","start_s":101,"end_s":105}
		{"type":"step","node":"node1","rank":1,"step":"merge","start_s":103,"end_s":107}
		{"type":"step","node":"node0","rank":0,"step":"merge","start_s":105,"end_s":108}
	end
}

# draws KIND FILE: to SVG, well formed, without a word on standard error.
draws() {
	run_ hpplot "$1" -o "$1.svg" "$2"
	status_is 0
	stdout_is ''
	stderr_is ''
	xmllint --noout "$1.svg"
}

# count N PATTERN FILE: as many matches.
count() {
	local n

	n=$(grep -oE -- "$2" "$3" | wc -l)
	[ "$n" -eq "$1" ] || fail "$n times '$2' in $3, expected $1"
}

@test "every kind is drawn, as SVG, as PNG and on the terminal" {
	documents
	for kind in speed cost plan compare trace balance; do
		case $kind in
		speed | cost) file=cluster ;;
		balance) file=trace ;;
		*) file=$kind ;;
		esac
		draws $kind $file
		run_ hpplot $kind --output $kind.png $file
		status_is 0
		stderr_is ''
		[ "$(head -c 8 $kind.png | od -An -tx1)" = ' 89 50 4e 47 0d 0a 1a 0a' ]
		run_ hpplot $kind - <$file
		status_is 0
		stderr_is ''
		case $kind in
		speed) stdout_has 'size (items)' ;;
		cost) stdout_has 'size (items)' ;;
		plan)
			stdout_has 'share (items)'
			stdout_has 'done at (units of n*log(n))'
			;;
		compare) stdout_has 'above the optimum (%)' ;;
		trace) stdout_has 'time (s)' ;;
		balance) stdout_has 'time since the first step of a node (s)' ;;
		esac
		! grep -E '.{80}' <<<"$output" || fail 'too wide'
	done
}

@test "each node has its row or its curve, and its points" {
	documents
	draws plan plan
	for i in 0 1 2 3; do
		count 1 ">node$i<" plan.svg
	done
	for n in $(jq 'select(.type == "share").n' plan); do
		count 1 ">$n " plan.svg
	done
	draws speed cluster
	for node in old new flat; do
		count 1 ">$node<" speed.svg
	done
	cp speed.svg one.svg
	# Another node is another curve.
	echo '{"type":"node","node":"more","points":[{"n":2000,"seconds":0.3}]}' \
		>>cluster
	draws speed cluster
	count 1 '>more<' speed.svg
	[ "$(grep -c '<path' speed.svg)" -gt "$(grep -c '<path' one.svg)" ]
	hpsolve -n 2 -k 100,1 --compare >nothing
	hpplot compare nothing | grep 'proportional.*the optimum takes no time'
	draws compare compare
	for method in $(jq -r .method compare); do
		count 1 ">$method<" compare.svg
	done
	draws trace trace
	for row in launcher node0 node1; do
		count 1 ">$row<" trace.svg
	done
	for step in plan sort merge; do
		grep -q ">$step<" trace.svg
	done
}

@test "with a plan: the line through the origin cuts the curves at the shares" {
	documents
	hpsolve -n 50000 cluster >measured
	cat cluster measured >both
	for kind in speed cost; do
		draws $kind both
		count 1 '>the plan<' $kind.svg
		count 1 '>shares<' $kind.svg
		run_ hpplot $kind both
		stdout_has 'the plan  .'
		# One mark for each share, one in the key.
		[ "$(tr -cd @ <<<"$output" | wc -c)" -eq 4 ]
	done
	cat measured cluster | hpplot speed -o other.svg
	same other.svg speed.svg || fail 'the order of documents matters'
}

@test "nodes by relative speed: level without a plan, by the cost with one" {
	printf '{"type":"node","node":"n%d","speed":%d}\n' 0 1 1 3 >cluster
	run_ hpplot speed cluster
	status_is 0
	stdout_has 'relative speed'
	for cost in n 'n*log(n)' 'n^1.5'; do
		hpsolve -n 1000 -c "$cost" cluster | cat cluster - >both
		run_ hpplot cost both
		status_is 0
		stdout_has "time (units of $cost)"
		[ "$(tr -cd @ <<<"$output" | wc -c)" -eq 3 ]
	done
	# Another cost: the shares alone.
	hpsolve -n 1000 -c 'n+sqrt(n)' cluster | cat cluster - >both
	draws cost both
}

@test "simultaneous steps are drawn apart, and time starts at the first step" {
	documents
	run_ hpplot trace trace
	stdout_has 'ppp'
	[[ $output != *[ms]p* ]]
	# node1 sorts and merges at once: two rows of letters.
	[ "$(grep -c 'sss' <<<"$output")" -eq 2 ]
	[ "$(grep -c 'mmm' <<<"$output")" -eq 2 ]
	[ "$(grep -c 'sss *mmm' <<<"$output")" -eq 1 ]
}

@test "balance: finish times, waiting times and the plan" {
	documents
	run_ hpplot balance trace
	stdout_has ' 6 s'
	stdout_has ' 7 s'
	stdout_has '#...#'
	[[ $output != *plan* ]]
	hpsolve -n 100 -k 1,2 | cat - trace >both
	run_ hpplot balance both
	status_is 0
	stdout_has 'plan (units of n*log(n), scaled to the mean)'
	# Measured nodes have a plan in seconds.
	hpsolve -n 100 cluster | cat trace - >both
	run_ hpplot balance both
	status_is 0
	[[ $output != *scaled* ]]
	# A node that has no step yet.
	stdout_has 'flat'
}

# Names that would be commands to a shell or to gnuplot, or tags, or neither.
hostile() {
	jq -nc '["\"; system(\"touch pwned\") #", "a`touch pwned`", "!touch pwned",
		"x\n!touch pwned\n", "\u0027; system(\u0027touch pwned\u0027)",
		"%s %d @x {/Symbol a} _1 ^2 ~b", "$(touch pwned) ${HOME}", "\\",
		"\\042; !touch pwned", "<b>&amp;", "]]>", "end", "\u001b[31m\u0000\u009b",
		"-o", "é漢🙂\ufffe", "", ("x" * 255)] | .[]'
}

@test "names reach neither gnuplot, nor a shell, nor the terminal as commands" {
	hostile | jq -c '{type: "node", node: ., points: [{n: 10, seconds: 1},
		{n: 90, seconds: 20}], params: {(.): 1}}' >cluster
	hostile | jq -c '[., input_line_number] | {type: "share", node: .[0],
		rank: .[1], n: 10, offset: 0, seconds: 1}' >plan
	hostile | jq -sc '{type: "plan", n: 170, nodes: 17, method: .[0],
		cost: .[1], makespan: 1, bound: 1}' >>plan
	hostile | jq -c '{type: "compare", method: ., over: 1}' >compare
	hostile | jq -c '{type: "step", node: ., rank: input_line_number, step: .,
		start_s: 1, end_s: 20}' >trace
	cat cluster plan >speed
	cat cluster plan >cost
	cat plan trace >balance
	for kind in speed cost plan compare trace balance; do
		draws $kind $kind
		run_ hpplot $kind -o $kind.png $kind
		status_is 0
		run_ hpplot $kind $kind
		status_is 0
		stderr_is ''
		[[ $output != *$'\e'* ]]
		[ ! -e pwned ] || fail "$kind ran a command"
	done
	xmllint --xpath '//*[local-name() = "text"]/text()' plan.svg >texts
	grep -F '&lt;b&gt;&amp;amp;' texts
	grep -F '"; system("touch pwned") #' texts
	grep -F '%s %d @x {/Symbol a} _1 ^2 ~b' texts
}

@test "a wrong document is rejected with its line number" {
	documents
	while IFS='|' read -r kind file message; do
		run_ hpplot "$kind" -o new.svg "$file"
		status_is 2
		stdout_is ''
		stderr_is "hpplot: $file: $message"
		[ ! -e new.svg ]
	done <<-'end'
		plan|cluster|line 1 is a node, expected a plan
		trace|plan|line 1 is a share, expected a step
		speed|compare|line 1 is a compare, expected a node
		cost|trace|line 1 is a step, expected a node
		compare|plan|line 1 is a share, expected a compare
		balance|compare|line 1 is a compare, expected a step
		balance|plan|no step in it
		speed|plan|no node in it
	end
	echo >>plan
	head -n 1 cluster >>plan
	run_ hpplot plan plan
	stderr_is 'hpplot: plan: line 7 is a node, expected a plan'
	for kind in speed cost plan compare trace balance; do
		run_ hpplot $kind -o new.svg </dev/null
		status_is 2
		stderr_has 'hpplot: standard input: no line in it, expected a '
	done
	[ ! -e new.svg ]
}

@test "CR, blank lines and a byte order mark are accepted" {
	documents
	hpplot plan plan >expected
	sed 's/$/\r\n \r/' plan | sed '1s/^/\xef\xbb\xbf\r\n/' | hpplot plan | same - expected
}

@test "members that are missing or of another kind, and lines that are no JSON" {
	while IFS='|' read -r kind line; do
		run_ hpplot "$kind" <<<"$line"
		status_is 2
		stdout_is ''
		stderr_has 'hpplot: standard input: line 1'
		[[ $stderr != *$'\n'* ]]
	done <<-'end'
		plan|{
		plan|[]
		plan|"plan"
		plan|{"a":1}
		plan|{"type":1}
		plan|{"type":"share"}
		plan|{"type":"share","node":"a","rank":0,"n":"1","seconds":1}
		plan|{"type":"share","node":"a","rank":0,"n":-1,"seconds":1}
		plan|{"type":"share","node":"a","rank":0,"n":1e999,"seconds":1}
		plan|{"type":"share","node":["a"],"rank":0,"n":1,"seconds":1}
		speed|{"type":"node"}
		speed|{"type":"node","node":"a","speed":0}
		speed|{"type":"node","node":"a","points":{}}
		speed|{"type":"node","node":"a","points":[1]}
		speed|{"type":"node","node":"a","points":[{"n":1}]}
		speed|{"type":"node","node":"a","points":[{"n":1,"seconds":0}]}
		speed|{"type":"node","node":"a","points":[{"n":2,"seconds":1},{"n":2,"seconds":1}]}
		compare|{"type":"compare","method":"x"}
		trace|{"type":"step","node":"a","step":"x","start_s":1}
		trace|{"type":"step","node":"a","step":"x","start_s":2,"end_s":1}
	end
	run_ hpplot plan < <(hpsolve -n 9 -k 1,2 | head -n 2)
	status_is 2
	stderr_has 'cut short'
	run_ hpplot plan < <(hpsolve -n 9 -k 1; hpsolve -n 9 -k 1)
	status_is 2
	stderr_has 'line 3: a share after the end of the plan'
}

@test "extreme documents: no item, no time, one point, many nodes" {
	hpsolve -n 0 -k 1,2 >plan
	draws plan plan
	echo '{"type":"node","node":"a","points":[{"n":5,"seconds":2}]}' >one
	draws speed one
	draws cost one
	echo '{"type":"node","node":"a","points":[]}' >none
	draws speed none
	echo '{"type":"step","node":"a","rank":0,"step":"x","start_s":1,"end_s":1}' \
		>instant
	draws trace instant
	draws balance instant
	hpsolve -n 9007199254740992 -k 1,1e9 >plan
	draws plan plan
	hpsolve -n 1M -k "$(seq -s , 300)" >plan
	draws plan plan
	run_ hpplot plan plan
	status_is 0
	stderr_is ''
}

@test "the picture appears whole or not at all" {
	documents
	run_ hpplot plan -o nowhere/new.svg plan
	status_is 2
	stderr_is 'hpplot: nowhere/new.svg: No such file or directory'
	mkdir dir.svg
	run_ hpplot plan -o dir.svg plan
	status_is 2
	rmdir dir.svg
	run_ bash -c 'hpplot plan plan >/dev/full'
	status_is 2
	stderr_is 'hpplot: standard output: No space left on device'
	run_ bash -c 'hpplot plan plan >&-'
	status_is 2
	stderr_is 'hpplot: standard output: Bad file descriptor'
	run_ bash -c 'ulimit -f 1; trap "" XFSZ; hpplot plan -o new.svg plan'
	status_is 2
	stderr_is 'hpplot: new.svg: File too large'
	mkdir bin
	printf '#!/bin/sh\necho half; exit 1\n' >bin/gnuplot
	chmod +x bin/gnuplot
	PATH=$PWD/bin:$PATH run_ hpplot plan -o new.svg plan
	status_is 2
	rm -r bin
	[ -z "$(find . -name '.hpplot*' -o -name 'new*')" ]
	# Over another, through a link, which stays a link.
	echo old >picture.svg
	chmod 600 picture.svg
	ln -s picture.svg link.svg
	run_ hpplot plan -o link.svg plan
	status_is 0
	[ -L link.svg ]
	xmllint --noout picture.svg
	[ "$(stat -c %a picture.svg)" = 600 ]
	# Or to what is not there yet.
	ln -s made.svg to.svg
	run_ hpplot plan -o to.svg plan
	status_is 0
	[ -L to.svg ]
	xmllint --noout made.svg
}

@test "a killed hpplot leaves no file" {
	documents
	mkdir bin out
	printf '#!/bin/sh\necho half; echo $$ >started; exec sleep 1000\n' \
		>bin/gnuplot
	chmod +x bin/gnuplot
	mkdir tmp
	TMPDIR=$PWD/tmp PATH=$PWD/bin:$PATH hpplot plan -o out/new.svg plan 3>&- &
	until [ -s started ]; do sleep 0.02; done
	kill -9 $!
	wait $! || true
	empty_dir out
	empty_dir tmp
	kill "$(cat started)"
}

@test "a reader that exits ends hpplot without a message" {
	documents
	run_ bash -c 'hpplot plan plan | true'
	status_is 0
	stderr_is ''
}

@test "without gnuplot it says so" {
	documents
	mkdir bin
	for tool in jq getopt cat; do
		ln -s "$(command -v $tool)" bin
	done
	run_ env PATH="$PWD/bin" "$HPBIN/hpplot" plan plan
	status_is 2
	stderr_is 'hpplot: gnuplot is not installed'
}

@test "usage" {
	for args in '' pie 'plan a b' 'plan -x' 'plan -o'; do
		# shellcheck disable=SC2086 # words
		run_ hpplot $args
		status_is 2
		stdout_is ''
		stderr_has 'usage: hpplot '
	done
	for file in x.gif svg; do
		run_ hpplot plan -o $file
		status_is 2
		stderr_is "hpplot: -o: '$file' ends in neither .svg nor .png"
	done
	run_ hpplot plan nowhere
	status_is 2
	stderr_is 'hpplot: nowhere: No such file or directory'
	run_ hpplot plan .
	status_is 2
	stderr_is 'hpplot: .: Is a directory'
	run_ hpplot --help
	status_is 0
	stdout_has 'usage: hpplot '
	run_ hpplot --version
	status_is 0
	stdout_is "$(hpsolve --version | sed 's/hpsolve/hpplot/')"
	run_ bash -c 'hpplot --help >/dev/full'
	status_is 2
	stderr_is 'hpplot: standard output: not written'
}
