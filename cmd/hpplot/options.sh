# The command line.
# shellcheck disable=SC2016,SC2034,SC2148,SC2154 # a part, of which others have more

options=$(getopt -n hpplot -o "$(letters)" -l "$(names)" -- "$@") || bad_usage
eval "set -- $options"
output=''
while [ "$1" != -- ]; do
	case $1 in
	--help) answer "$(help)" ;;
	--version) answer 'hpplot (hptools) @VERSION@' ;;
	-o | --output)
		option=$1
		output=$2
		case $output in
		*.svg) how=svg ;;
		*.png) how=png ;;
		*) die "$option: '$output' ends in neither .svg nor .png" ;;
		esac
		shift
		;;
	esac
	shift
done
shift

case $# in
0) bad_usage 'what to draw is missing' ;;
1 | 2) ;;
*) bad_usage "too many operands: '$3'" ;;
esac
# jq takes longer to read functions than to run them, so it gets only those of the
# picture.
case $1 in
plan | compare | trace | balance)
	functions=$draw_rows$kinds_of_rows
	draw="${1}_picture | draw_rows"
	;;
flow | pivots)
	functions=$draw_rows$draw_exchange
	draw=draw_$1
	;;
pareto)
	functions=$draw_lines$front_of_plans
	draw='pareto_picture | draw_lines'
	;;
speed | cost)
	functions=$draw_lines$kinds_of_lines
	draw='curves_picture($kind) | draw_lines'
	;;
*) bad_usage "unknown kind of plot '$1'" ;;
esac
kind=$1 name='standard input'
if [ "${2:--}" != - ]; then
	name=$2
	[ -e "$name" ] || die "$name: No such file or directory"
	[ ! -d "$name" ] || die "$name: Is a directory"
	[ -r "$name" ] || die "$name: Permission denied"
	exec <"$name"
elif [ $# -eq 1 ] && [ -t 0 ]; then
	complain 'reading standard input (a terminal); --help lists the options'
fi
for tool in jq gnuplot; do
	command -v "$tool" >/dev/null || die "$tool is not installed"
done

# As wide as the terminal.
columns=79
if [ -z "$output" ]; then
	how=dumb
	[ ! -t 1 ] || columns=$(stty size <&1 2>/dev/null | cut -d ' ' -f 2)
	case $columns in
	'' | *[!0-9]* | ????* | ? | [1-3]?) columns=79 ;;
	esac
fi
