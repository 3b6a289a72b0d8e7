# Lines: the command lines of the steps of a node.

# across PREFIX: the words PREFIX.0 PREFIX.1 ..., one for each node.
across() {
	for r in $ranks; do
		printf ' %s.%s' "$1" "$r"
	done
}

extent_of() {
	say "--extent \"\$(jq -r 'select(.rank == $1) |" \
		"\"\\(.offset):\\(.bytes)\"' deal.jsonl)\""
}

sort_part() {
	part_of "$1"
	say "hpsort$order $memory --parallel $threads" \
		"$(extent_of "$1") -o run.$1 $input"
}

sample_run() {
	say "hpsplit sample$order -a $algorithm -P plan.jsonl -N $1 run.$1" \
		">candidates.$1"
}

sample_part() {
	say "hpsplit sample$order -a $algorithm -P plan.jsonl -N $1" \
		"$(extent_of "$1") $input >candidates.$1"
}

sample_again() {
	say "hpsplit sample$order -a exact -L sublists.jsonl -N $1 run.$1" \
		">candidates.$1"
}

count_run() {
	say "hpsplit count$order -L probes.jsonl -N $1 --sorted run.$1" \
		">counts.$1"
}

count_part() {
	say "hpsplit count$order -L sublists.jsonl -N $1 $(extent_of "$1")" \
		"$input >counts.$1"
}

cut_run() {
	say "hpsplit cut$order -L sublists.jsonl -N $1 --extents run.$1" \
		">extents.$1"
}

cut_part() {
	say "hpsplit cut$order -L sublists.jsonl -N $1 $(extent_of "$1")" \
		"$input >stream.$1"
}

exchange() {
	printf 'hpexchange -C cluster.jsonl -N %s --trace trace.%s' "$1" "$1"
}

exchange_runs() {
	say "$(exchange "$1") -i run.$1 -x extents.$1 -o from.$1"
}

merge_runs() {
	part_of "$1"
	say "hpmerge$order $memory -o out.$1$(across "from.$1")"
}

# Where equal records keep the order of the input, each source apart.
exchange_parts() {
	case $stable in
	'') say "$(exchange "$1") <stream.$1 >from.$1" ;;
	*) say "$(exchange "$1") -o from.$1 <stream.$1" ;;
	esac
}

sort_arrived() {
	part_of "$1"
	case $stable in
	'') from=" from.$1" ;;
	*) from=$(across "from.$1") ;;
	esac
	say "hpsort$order $memory --parallel $threads -o out.$1$from"
}

pivots() {
	say "hpsplit pivots$order -a $algorithm -P plan.jsonl"
}
