# The scripts of examples/lesson.  tests/man.sh runs the commands of hp-lesson(7)
# and compares what the scripts print.

load common

LESSON=$TOP/examples/lesson

# no_complaint: stderr says at most that a busy machine could not be measured
# with the wanted precision.
no_complaint() {
	stderr=$(grep -v '^hpprofile: 20000 items: precision ' <<<"$stderr" || :)
	stderr_is ''
}

@test "lesson: all steps together give the result of hprun, node by node" {
	for script in "$LESSON"/[1-8]*.sh; do
		run_ "$script"
		status_is 0
		no_complaint
		stdout_has 'Question: '
	done
	hprun -C cluster.jsonl -a psrs -o whole words
	same result whole
	LC_ALL=C sort words | same - result
	hprun -C cluster.jsonl -a psrs --leave left words >summary
	for i in 0 1 2; do
		same "part.$i" "dir.$i/left"
	done
}

@test "lesson: each script runs alone and makes the files it lacks" {
	for script in "$LESSON"/[1-8]*.sh; do
		mkdir alone
		cd alone
		run_ "$script"
		status_is 0
		no_complaint
		# The same again, from what is there.
		cp -r . ../again
		cd ../again
		"$script" >printed
		[[ $script == */1-* ]] || same printed - <<<"$output"
		cd ..
		rm -r alone again
	done
}

@test "lesson: every file between the steps is readable text" {
	"$LESSON/8-merge.sh"
	for file in *; do
		[ -d "$file" ] || ! grep -n '[^[:print:][:blank:]]' "$file" ||
			fail "$file has control characters"
	done
	jq -e 'select(.type == "candidate") | .text | strings' candidates.* |
		wc -l | grep -x 8
}

@test "lesson: the words and the speeds may be changed" {
	"$LESSON/1-measure.sh"
	cp -r "$LESSON" lesson
	seq 100 | shuf --random-source=<(yes) >lesson/words
	lesson/8-merge.sh | grep -x '100 words, sorted: true'
	seq 100 | LC_ALL=C sort | same - result
}
