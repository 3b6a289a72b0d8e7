# Lines: the command lines of the steps of a node, each in its own directory.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# across PREFIX: the words PREFIX.0 PREFIX.1 ..., one for each node.
across() {
	for r in $ranks; do
		printf ' %s.%s' "$1" "$r"
	done
}

# part_of RANK: the words for the node's part of the input: its own file, of the
# first node without the header, one that it was sent, or on this machine an
# extent of ours.
part_of() {
	eval "set -- \"\$1\" \"\$in_$1\" \"\$host_$1\""
	case $2/$3 in
	?*/*)
		case $1/$header in
		0/?*) printf '%s ' '--extent "$(cat body)"' ;;
		esac
		quote "$2"
		;;
	/?*) say in ;;
	*) say "--extent \"\$(sed -n $(($1 + 1))p $(quote "$work/dealt"))\" $input" ;;
	esac
}

count_in_place() {
	set -- "$1" "$(part_of "$1")"
	case $1/$header in
	0/?*) set -- "$1" "$2" "sed 's/.*:\(.*\)/{\"bytes\":\1}/' body" ;;
	*) set -- "$1" "$2" "stat -Lc '{\"bytes\":%s}' $2" ;;
	esac
	say "hpsplit count$order -N $1 $2 && $3"
}

sort_part() {
	means_of "$1"
	set -- "$(part_of "$1")"
	take_part "$1" run "hpsort$order $means$(sum_repeats run) -o run $1"
}

# sum_repeats FILE: the option by which the records that -u leaves out of the file
# are summed up for the proof, in repeats.FILE.
sum_repeats() {
	[ -z "$unique" ] || [ -z "$stored" ] || printf ' --dropped repeats.%s' "$1"
}

# tell_repeats FILE: puts that sum out, behind another command.
tell_repeats() {
	[ -z "$unique" ] || printf ' && cat repeats.%s' "$1"
}

# take_part PART FILE LINE: which makes the file of the part.  A host has no use
# for what it was sent after that.  Where the step is done again, that may be so.
take_part() {
	case $keep/$1 in
	/in) say "{ [ -e $2 ] || $3; } && rm -f in" ;;
	*) say "$3" ;;
	esac
}

sample_run() {
	say "hpsplit sample$order -a $algorithm -P - -N $1 run"
}

sample_part() {
	say "hpsplit sample$order -a $algorithm -P - -N $1 $(part_of "$1")"
}

sample_again() {
	say "hpsplit sample$order -a exact -L - -N $1 run"
}

count_run() {
	say "hpsplit count$order -L - -N $1 --sorted run"
}

count_part() {
	say "hpsplit count$order -L - -N $1 $(part_of "$1")"
}

cut_run() {
	say "rm -f trace && hpsplit cut$order -L - -N $1 --extents run >extents"
}

cut_part() {
	say "hpsplit cut$order -L - -N $1 $(part_of "$1") >stream"
}

cut_to_file() {
	set -- "$1" "$(part_of "$1")"
	say "rm -f trace && $(take_part "$2" cut \
		"hpsplit cut$order -L - -N $1 --extents -o cut $2 >extents")"
}

exchange() {
	printf 'hpexchange -C cluster.jsonl -N %s%s --trace trace' \
		"$1" "$exchange_options"
}

exchange_run() {
	exchange_extents "$1" run
}

exchange_cut() {
	exchange_extents "$1" cut
}

# exchange_extents RANK FILE: who is done, and has forgotten it, is not to begin
# anew when others go on.
exchange_extents() {
	set -- "$(exchange "$1")${stored:+ --resume arriving} -i $2 -x extents -o from"
	[ -z "$stored" ] ||
		set -- "{ [ -e trace ] && [ ! -e arriving ]; } || { rm -f trace &&
	$1; }"
	say "$1 && cat trace"
}

make_fifos() {
	say "rm -f$1 && mkfifo$1"
}

# make_room FILE: what has arrived needs the room that this had.
make_room() {
	case $keep/$stored in
	/?*) printf 'rm -f %s && ' "$1" ;;
	esac
}

merge_runs() {
	means_of "$1"
	eval "out=\$out_$1"
	make_room run
	say "hpmerge$order $means$(sum_repeats out) -o $(quote "$out")$(across from) && $(
		size_of "$1"
	)"
}

# Where equal records keep the order of the input, each source apart.
exchange_parts() {
	case $stable in
	'') say "$(exchange "$1") <stream >from && cat trace" ;;
	*) say "$(exchange "$1") -o from <stream && cat trace" ;;
	esac
}

sort_arrived() {
	means_of "$1"
	case $stable$stored in
	'') from=" from" ;;
	*) from=$(across from) ;;
	esac
	eval "out=\$out_$1"
	make_room cut
	say "hpsort$order $means$(sum_repeats out) -o $(quote "$out")$from && $(size_of "$1")"
}

# size_of RANK: the output as one piece, as deal_out tells the pieces of psop.
size_of() {
	say "stat -c '{\"sublist\":$1,\"rank\":$1,\"bytes\":%s}' $(
		quote "$out"
	)"
}

# The sublists in a node's output: as many records as were counted, but with -u,
# where no key is in two of them.
deal_out() {
	eval "out=\$out_$1"
	case $unique in
	'') say "hpsplit deal$order -L - -N $1 $(quote "$out")" ;;
	*) say "hpsplit cut$order -L - -N $1 --extents $(quote "$out")" ;;
	esac
}

leave_part() {
	eval "set -- \"\$out_$1\" \"\$leave_$1\""
	say "mv -fT $(quote "$1") $(quote "$2")"
}

pivots() {
	say "hpsplit pivots$order -a $algorithm -P plan.jsonl"
}
