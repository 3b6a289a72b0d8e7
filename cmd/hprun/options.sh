# The command line.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

algorithm=exact answers='' background=' &' beside='' booted=0 budget='' calls=0 cause='' cluster=''
dry='' ended='' exchange_options='' fallen='' finished=0 format=line given='' header='' held=''
in_place='' inside='' keep='' leave='' mark='' mess='' method=auto naming='' new_cluster='' now=0 nodes='' order=''
out='' output='' passing='' profile='' progress='' random='' relays='' repeating='' resume='' returns=0 rsh=''
running=0 share='' signal='' source='' speeds='' stable='' stage=0
stage_steps='' storing='' taken='' timeout=30 times='' tmpdir='' told=0 trace='' transport='' tries=0 unique=''
watched='' weight='' without='' work='' work_all=0 work_done=0 zero=''

# For another start of the same run.
origin=$PWD arguments=''
for word; do
	arguments="$arguments $(quote "$word")"
done

options=$(
	getopt -n hprun \
		-o a:bC:dF:fghij:k:Mno:RrS:sT:t:uVz \
		-l algorithm:,buffer-size:,cluster:,dictionary-order,dry-run \
		-l field-separator:,format:,general-numeric-sort,header:,help \
		-l human-numeric-sort,in-place:,leave:,ignore-case,ignore-leading-blanks \
		-l ignore-nonprinting,keep:,key:,method:,month-sort,nodes: \
		-l numeric-sort,output:,profile::,progress,random-sort,random-source:,reverse,resume:,rsh: \
		-l sort:,speeds:,stable,temporary-directory:,timeout:,trace: \
		-l transport:,unique,version,version-sort \
		-l take-over:,without:,zero-terminated \
		-- "$@"
) || bad_usage
eval "set -- $options"

while [ "$1" != -- ]; do
	case $1 in
	--dry-run) dry=1 ;;
	--help) answer "usage: $usage" ;;
	--profile)
		profile=${2:-60}
		shift
		;;
	--progress) progress=1 ;;
	--version) answer 'hprun (hptools) @VERSION@' ;;
	-F | --format | -k | --key | -t | --field-separator | --sort)
		case $1 in -F | --format) format=$2 ;; esac
		case $1$2 in -k*R* | --key*R* | --sortra*) random=1 ;; esac
		order="$order $1 $(quote "$2")"
		shift
		;;
	-[!ajCoST] | --dictionary-order | --ignore-* | \
		--*-sort | --reverse | --stable | --unique | --zero-terminated)
		case $1 in
		-R | --random-sort) random=1 ;;
		-s | --stable) stable=1 ;;
		-u | --unique) stable=1 unique=1 ;;
		-z | --zero-terminated) zero=z ;;
		esac
		order="$order $1"
		;;
	*)
		[ -n "$2" ] || bad_usage "option '$1' needs a value"
		case $1 in
		-a | --algorithm) algorithm=$2 ;;
		-C | --cluster) cluster=$2 ;;
		-j | --nodes) nodes=$2 ;;
		--header) header=$2 ;;
		--in-place) in_place=$2 ;;
		--keep) keep=$2 ;;
		--leave) leave=$2 ;;
		--method) method=$2 ;;
		-o | --output) output=$2 ;;
		--random-source)
			absolute "$2"
			source=$absolute
			;;
		--resume) resume=$2 ;;
		--rsh) rsh=$2 ;;
		-S | --buffer-size) budget=$2 ;;
		--speeds) speeds=$2 ;;
		-T | --temporary-directory) tmpdir=$2 ;;
		--take-over) taken=$2 ;; # go_on
		--timeout) timeout=$2 ;;
		--trace) trace=$2 ;;
		--transport) transport=$2 ;;
		--without) without="$without $(quote "$2")" ;;
		esac
		shift
		;;
	esac
	shift
done
shift

[ -z "$keep" ] || [ -z "$resume" ] || bad_usage 'only one of --keep and --resume'
keep=$keep$resume
[ -z "$taken" ] || resume=''

case $algorithm in
exact | psrs | pss | psop) ;;
*) die "unknown algorithm '$algorithm'" ;;
esac
case $header in
*[!0-9]* | ????????????*) die "'$header' is not a number of records" ;;
*[!0]*) ;;
*) header='' ;;
esac
[ -z "$leave" ] || [ -z "$output" ] || bad_usage 'only one of -o and --leave'
[ -z "$leave" ] || [ -z "$header" ] || bad_usage '--leave is without --header'
[ -z "$in_place" ] || [ $# -eq 0 ] || bad_usage '--in-place is without a FILE'
[ -z "$erase" ] || progress=1
[ -z "${NO_COLOR+set}" ] || progress=''
[ -z "$progress" ] || clear=$erase
case $profile in
0* | *[!0-9]* | ??????*) die "'$profile' is not a number of seconds" ;;
esac
[ -z "$profile" ] || [ -f "$cluster" ] ||
	bad_usage '--profile needs a file of -C, to write to'
case $timeout in
0* | *[!0-9]* | ??????*) die "'$timeout' is not a number of seconds" ;;
esac
# For what takes no time but on a machine that has much to do.
patience=$((timeout / 10 + 3))
said=$(hpsolve -m "$method" --help 2>&1 >/dev/null) ||
	die "${said#hpsolve: -m: }"
[ -z "$random" ] || [ -z "$source" ] || [ -r "$source" ] ||
	die "--random-source: '$source' cannot be read"
eval "hpsplit count$order" -N 0 /dev/null >/dev/null || exit 2 # a wrong order
