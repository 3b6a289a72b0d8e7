# hpplot: each picture, from documents as the programs make them.
# shellcheck disable=SC2016 # names of nodes that must not be expanded

load common

documents() {
	hpsolve -n 1000 -k 8,5,3,1 >plan
	hpsolve -n 1000 -k 8,5,3,1 --compare >compare
	printf '%s\n' '{"type":"node","node":"a \"b\" \\ $(date) {x}","points":[{"n":100,"seconds":1,"low":0.9,"high":1.2},{"n":1000,"seconds":12}]}' \
		'{"type":"node","node":"c","points":[{"n":100,"seconds":2}]}' >cluster
	hpsolve -n 1000 cluster >measured
	jq -c 'select(.type == "share") | {type: "step", node, rank, step: ("sort", "exchange"),
	    start_s: (100 + .rank), end_s: (102 + .rank), records: .n, bytes: 0}' plan >trace
}

@test "each picture, to the terminal, SVG and PNG" {
	documents
	cat cluster measured >both
	cat plan trace >run
	for pair in speed:cluster speed:both cost:cluster plan:plan \
		plan:measured compare:compare trace:trace balance:run; do
		run_ hpplot "${pair%:*}" "${pair#*:}"
		status_is 0
		[ "${#output}" -gt 500 ]
		stderr_is ''
		hpplot "${pair%:*}" -o out.svg "${pair#*:}"
		grep -q '</svg>' out.svg
		hpplot "${pair%:*}" -o out.png <"${pair#*:}"
		[ "$(head -c 4 out.png | tail -c 3)" = PNG ]
	done
}

@test "names of nodes are drawn, and nothing in them is run" {
	documents
	hpplot plan -o out.svg plan
	for n in 0 1 2 3; do
		grep -q "node$n" out.svg
	done
	hpplot speed -o out.svg cluster
	grep -qF '$(date) {x}' out.svg
}

@test "what is no document, or has nothing to draw, leaves no picture" {
	documents
	for kind in speed cost plan compare trace balance; do
		for bad in /dev/null nowhere "$TOP/LICENSE" compare; do
			[ "$kind/$bad" != compare/compare ] || continue
			run_ hpplot $kind -o new.svg "$bad"
			status_is 2
			[ ! -e new.svg ]
			stderr_has 'hpplot: '
		done
	done
	run_ hpplot plan -o nowhere/new.svg plan
	status_is 2
}

@test "usage" {
	for args in '' 'pie' 'plan -x' 'plan a b' 'plan -o'; do
		# shellcheck disable=SC2086 # words
		run_ hpplot $args
		status_is 2
		stderr_has 'usage: hpplot'
	done
	run_ hpplot plan -o x.gif /dev/null
	status_is 2
	run_ hpplot --help
	status_is 0
	run_ hpplot --version
	status_is 0
	stdout_is "$(hpsolve --version | sed 's/hpsolve/hpplot/')"
}
