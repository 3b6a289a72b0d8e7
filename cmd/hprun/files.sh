# The input and the output.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# record_bytes: how long a record is; nothing for lines.
record_bytes() {
	case $format in
	line) ;;
	gensort) say 100 ;;
	record:*) say "${format#record:}" | sed 's/,.*//' ;;
	*)
		set -- "${format#?}"
		say $((${1%be} / 8))
		;;
	esac
}

# why_not PATH: in $reason, why the file, or a new one in the directory PATH/,
# cannot be written.
why_not() {
	case $1 in
	*/) reason=$(mktemp -- "$1.hprun.XXXXXX" 2>&1) && rm -f -- "$reason" ;;
	*) reason=$( (: >>"$1") 2>&1) ;;
	esac
	reason=${reason##*: }
	: "${reason:=Permission denied}"
}

# may_write PATH FOR: ends the run if not.
may_write() {
	[ ! -w "$1" ] || return 0
	why_not "$1"
	die "$2: $reason"
}

[ $# -gt 0 ] || [ -n "$in_place" ] || set -- -
operands=''
for file; do
	case $file in
	-) operands="$operands -" && continue ;;
	esac
	absolute "$file"
	operands="$operands $(quote "$absolute")"
	[ -n "$dry" ] || [ -r "$file" ] && [ ! -d "$file" ] && continue
	[ -e "$file" ] || die "$file: No such file or directory"
	[ ! -d "$file" ] || die "$file: Is a directory"
	die "$file: Permission denied"
done

# One file is read where it is; whatever else comes is stored first.
store_line='' input=input
case $#:${1-} in
1:/dev/* | 1:/proc/*) ;; # to each process another file, or one without a size
1:*) [ ! -f "$1" ] || [ -n "$header" ] || input=${operands# } ;;
esac
if [ -z "$in_place" ] && [ "$input" = input ]; then
	case $#/$format in
	# Between two files a last line has its end.
	[!1]*/line | 1?*/line) store_line="sed -s$zero '\$a\\' --$operands" ;;
	*) store_line="cat --$operands" ;;
	esac
	case $header/$format in
	/*) store_line="$store_line >input" ;;
	*/line) header_line="sed -u$zero ${header}q | sed ${zero:+-z }'\$a\\'" ;;
	*) header_line="head -c $((header * $(record_bytes)))" ;;
	esac
	[ -z "$header" ] ||
		store_line="{ $store_line; echo \$? >stored; } | { $header_line >header &&
	cat >input; } && (exit \"\$(cat stored)\")"
fi

beside=''
case $output in
- | /dev/stdout | /dev/fd/1 | /proc/self/fd/1) output='' ;;
esac
if [ -n "$output" ]; then
	[ ! -d "$output" ] || die "$output: Is a directory"
	[ ! -e "$output" ] || may_write "$output" "$output"
	absolute "$output"
	output=$absolute
	directory=${output%/*}/
	[ -d "$directory" ] || die "$output: No such file or directory"
	if [ ! -e "$output" ] || [ -f "$output" ]; then
		# Where a link leads to, also when nothing is there yet.
		beside=$(readlink -nf -- "$output" && echo .) ||
			die "$output: No such file or directory"
		output=${beside%.}
		directory=${output%/*}/
		may_write "$directory" "$output"
		beside=$directory.hprun.$$ # of a dry run; watch_here
	fi
fi

if [ -n "$trace" ]; then
	absolute "$trace"
	trace=$absolute
	[ -d "${trace%/*}/" ] || die "$trace: No such file or directory"
	[ ! -d "$trace" ] || die "$trace: Is a directory"
	# Known before the run, not behind it.
	if [ -e "$trace" ]; then
		may_write "$trace" "$trace"
	else
		may_write "${trace%/*}/" "$trace"
	fi
	# A device or a pipe may be both.
	for file in "$@" "$output"; do
		[ ! -e "$file" ] || [ -f "$file" ] || continue
		[ "$(readlink -f -- "$file")" != "$(readlink -f -- "$trace")" ] ||
			die "--trace: '$file' is an input or the output"
	done
fi
