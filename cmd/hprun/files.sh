# The input and the output.

[ $# -gt 0 ] || set -- -
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
store_line='' place=''
case $1 in
/dev/* | /proc/*) ;; # to each process another file, or one without a size
*) place=1 ;;
esac
if [ $# -eq 1 ] && [ -f "$1" ] && [ -n "$place" ]; then
	input=${operands# }
else
	input=input
	case $#/$format in
	1/*) store_line="cat --$operands >input" ;;
	# Between two files a last line has its end.
	*/line) store_line="sed -s$zero '\$a\\' --$operands >input" ;;
	*) store_line="cat --$operands >input" ;;
	esac
fi

beside=''
[ "$output" != - ] || output=''
if [ -n "$output" ]; then
	[ ! -d "$output" ] || die "$output: Is a directory"
	[ ! -e "$output" ] || [ -w "$output" ] ||
		die "$output: Permission denied"
	absolute "$output"
	output=$absolute
	if [ -f "$output" ]; then
		output=$(readlink -nf -- "$output" && echo .)
		output=${output%.}
	fi
	directory=${output%/*}/
	[ -d "$directory" ] || die "$output: No such file or directory"
	if [ ! -e "$output" ] || [ -f "$output" ]; then
		[ -w "$directory" ] || die "$output: Permission denied"
		beside=$directory.hprun.$$
	fi
fi

if [ -n "$trace" ]; then
	absolute "$trace"
	trace=$absolute
	[ -d "${trace%/*}/" ] || die "$trace: No such file or directory"
	[ ! -d "$trace" ] || die "$trace: Is a directory"
fi
