#!/bin/bash
# Cérin, Dubacq, Roch, "Methods for partitioning data to improve parallel
# execution time for sorting on heterogeneous clusters" (2006): the experiments
# A.1, A.2 and A.3 of Figure 2, on hosts of the lab, of which half are 1.5 times
# as fast as the others.  Records of 100 bytes with keys of 10 bytes are sorted
# from disk to disk.  Then the same for other speeds, for a host that lacks
# memory, and for hosts slowed down by CPU burning.  The script prints targets
# and measurements, as Markdown.
#
#	examples/papers/gpc.sh [RUNS]
#
# RUNS is the number of runs of each of A.1 to A.3 (10); all other experiments
# have a third of it.  The order of the runs is random.  Environment:
# HP_GPC_RECORDS (3000000); HP_GPC_SEED, of the order; HP_GPC_PARTS, those of
# "figure speeds memory burn unknown" to measure; HP_GPC_DISK, the room of a node's
# disk (4G).  Needs root, and no other load.
#
# The disks are in memory.  The nodes would else share the disk of this machine,
# which rules their times: equal shares then took 0.90 times as long to sort and
# merge as planned ones, instead of 1.29 times.  Only the node that lacks memory
# uses the disk of this machine, because it could not hold a disk.  An empty
# HP_GPC_DISK makes all nodes do so.

set -euo pipefail
runs=${1:-10}
few=$(((runs + 1) / 3 + (runs < 2)))
all=${HP_GPC_RECORDS:-3000000}
seed=${HP_GPC_SEED-}
# shellcheck source=examples/papers/gpc.bash
. "$(dirname "$0")/gpc.bash"
begin

# ---- Figure 2 ---------------------------------------------------------------

# second_processors: a control group beside that of each node, with the same
# quota, and programs whose hpexchange moves its second thread there.
second_processors() {
	local name group file

	[ -d /sys/fs/cgroup/cpu ] || {
		note 'version 2 of control groups: no second processors'
		return 1
	}
	for name in "${names[@]}"; do
		group=/sys/fs/cgroup/cpu/$LAB/$name
		mkdir "$group-2"
		for file in cpu.cfs_period_us cpu.cfs_quota_us; do
			cat "$group/$file" >"$group-2/$file"
		done
	done
	mkdir "$scratch/two"
	cp "$bin"/hp* "$scratch/two"
	# What waits for the second thread does so outside of the node's group.
	cat >"$scratch/two/hpexchange" <<-EOF
		#!/bin/sh
		case " \$* " in
		*' --threads 2 '*)
			(
				echo 0 >/sys/fs/cgroup/cpu/tasks
				set --
				while [ \$# -lt 2 ] && [ -d /proc/\$\$ ]; do
					sleep 0.01
					set -- /proc/\$\$/task/*
				done
				echo "\${2##*/}" >/sys/fs/cgroup/cpu/$LAB/\$(uname -n)-2/tasks
			) </dev/null >/dev/null 2>&1 &
			;;
		esac
		exec $bin/hpexchange "\$@"
	EOF
}

run_a1() { sort_once a1 cluster --method equal --in-place equal --threads 0; }
run_a2() { sort_once a2 cluster --in-place planned --threads 0; }
run_a3one() { sort_once a3one cluster --in-place planned --threads 2; }
run_a3() {
	local programs=$scratch/two

	sort_once a3 cluster --in-place planned --threads 2
}

# over METHOD RECORDS SPEEDS: its makespan, relative to the optimum.
over() {
	hpsolve -n "$2" -k "$3" --compare |
		jq -r --arg method "$1" 'select(.method == $method).over + 1 |
			. * 10000 | round / 10000'
}

head_of_table() {
	echo "| | ${1:+$1 | }median | range | sort and merge | exchange | finish times of the nodes |"
	echo "|---|${1:+---|}---|---|---|---|---|"
}

# Half of the nodes have 1/1.5 of the speed of the others.
half=('a:cpu=0.15,cpus=0@1.5' 'b:cpu=0.15,cpus=1@1.5' 'c:cpu=0.1,cpus=0@1'
	'd:cpu=0.1,cpus=1@1')

figure() {
	local many two=a3

	many=$(printf '3,2,%.0s' {1..47})3,2
	cluster_up "${half[@]}"
	second_processors || two=
	give_input equal "$records" equal
	give_input planned "$records" auto
	# shellcheck disable=SC2086 # none or one
	in_random_order "$runs" a1 a2 a3one $two
	cat <<-END
		## GPC Figure 2: $runs runs each, seed $seed

		$records records of 100 bytes, four nodes of speeds 1, 1, 1/1.5 and
		1/1.5: 0.15 and 0.1 of a processor.  The paper has 96 nodes and
		541623000 records.  A time is that from the first step to the end of
		the last merge.  In A.2, one thread of each node sends and receives,
		as the other steps do on the only processor of the node.  In A.3, the
		thread that sends has a second processor of the same speed.  The disk
		of each node is in memory${HP_GPC_DISK+ (HP_GPC_DISK=$HP_GPC_DISK)}.  All nodes share a machine of $(nproc) processors, whose load average was $load
		at the start: above 0.5, other work disturbs the measurements.

	END
	head_of_table paper
	row 'A.1: equal shares, one thread' a1 '125.4 s'
	row 'A.2: planned shares, one thread' a2 '112.7 s'
	[ -z "$two" ] || row 'A.3: planned shares, two threads' a3 '69.4 s'
	row 'as A.3, without the second processor' a3one -
	cat <<-END

		In hpexchange one thread, too, sends and receives at the same time, and
		the quota of a node is the sum for all its threads.  Without a second
		processor, a second thread is therefore expected to gain nothing.  The
		thread that sends and the one that receives need about the same
		processor time, so a second processor can at most halve the exchange.
		In the paper, it takes 60 % of A.2 and 33 % of A.3, a third of the time.

		Theory, for the cost n log n: equal shares take
		$(over equal 541623000 "$many") times the optimum on the paper's nodes,
		proportional ones $(over proportional 541623000 "$many") times.  Here
		equal shares take $(over equal "$records" 3,3,2,2) times the optimum.

		| | target | measured | |
		|---|---|---|---|
	END
	verdict 'A.1 / A.2, sort and merge' 1.20 '>=' "$(ratio a1 a2 2)" ' times'
	verdict 'A.2: finish times differ' 3 '<=' "$(median a2 4)" ' %'
	[ -z "$two" ] || verdict "A.2 / A.3, where the exchange takes $(
		awk -v x="$(median a2 3)" -v all="$(median a2 1)" \
			'BEGIN { printf "%.0f", 100 * x / all }') % of A.2" \
		1.3 '>=' "$(ratio a2 a3 1)" ' times'
	echo "| A.1 / A.2, sort alone | | $(ratio a1 a2 5) times | |"
	echo "| A.1 / A.2, merge alone | | $(ratio a1 a2 6) times | |"
	[ -z "$two" ] || echo "| A.2 / A.3, exchange alone | | $(ratio a2 a3 3) times | |"
	echo "| A.1 / A.2 | 125.4 / 112.7 = 1.11 times | $(ratio a1 a2 1) times | |"
	cluster_down
}

# ---- other speeds, and memory -----------------------------------------------

run_equal() { sort_once equal cluster --method equal --in-place equal; }
run_planned() { sort_once planned cluster --in-place planned; }

speeds() {
	cluster_up a:cpu=0.56,cpus=0@8 b:cpu=0.35,cpus=1@5 c:cpu=0.21,cpus=1@3 \
		d:cpu=0.07,cpus=1@1
	give_input equal "$records" equal
	give_input planned "$records" auto
	in_random_order "$few" equal planned
	printf '\n## GPC: speeds 8, 5, 3 and 1, %d runs each, %d records\n\n' \
		"$few" "$records"
	head_of_table ''
	row 'equal shares' equal
	row 'planned shares' planned
	printf '\n| | target | measured | |\n|---|---|---|---|\n'
	verdict "equal / planned, sort and merge (theory: $(over equal "$records" \
		8,5,3,1))" 1.20 '>=' "$(ratio equal planned 2)" ' times'
	verdict 'planned: finish times differ' 3 '<=' "$(median planned 4)" ' %'
	# shellcheck disable=SC2016 # for that shell
	cat <<-END

		The plan knows only the speeds.  To start a program takes $(
			lab exec d bash -c 'TIMEFORMAT=%R
				time for i in {1..10}; do hpmerge --version; done \
					>/dev/null' 2>&1 | awk '{ print $1 / 10 }'
		) s on d, whatever its share.
	END
	cluster_down
}

run_single() { sort_once single single --in-place single; }
run_curves() { sort_once curves curves --in-place curves; }

memory() {
	local name pids=()

	records=$((all * 3 / 4))
	HP_GPC_DISK='' cluster_up a:cpu=0.2,cpus=0@1 b:cpu=0.2,cpus=1,mem=64M@1
	for name in "${names[@]}"; do
		lab exec "$name" hpprofile -N "$name" -F gensort --from $((all / 60)) \
			--to "$all" --seconds "${HP_GPC_PROFILE:-20}" \
			--precision 10% >"$scratch/profile.$name" \
			2>"$scratch/said.$name" &
		pids+=($!)
	done
	for name in "${!pids[@]}"; do
		wait "${pids[name]}" || {
			cat "$scratch"/said.* >&2
			return 1
		}
	done
	cat "$scratch"/profile.{a,b} | jq -c --slurpfile node "$scratch/cluster" '
		. as $n | $node[] | select(.node == $n.node) |
		del(.speed) + {points: $n.points}' >"$scratch/curves"
	jq -c '{type, node, host, dir,
		speed: (.points[0] | .n / .seconds)}' "$scratch/curves" \
		>"$scratch/single"
	give_input single "$records" auto single
	give_input curves "$records" auto curves
	in_random_order "$few" single curves
	cat <<-END

		## GPC: a node that lacks memory, $few runs each, $records records

		Two nodes have 0.2 of a processor each; b has only 64 MiB of memory,
		so that it needs temporary files.  One plan has a single speed for each
		node, measured with $(jq -s '.[0].points[0].n' "$scratch/curves") records.
		The other one has the measured curves (the functional model).

	END
	head_of_table ''
	row 'single speed' single
	row 'functional model' curves
	printf '\n| | target | measured | |\n|---|---|---|---|\n'
	verdict 'single speed / functional model, sort and merge' 1 '>=' \
		"$(ratio single curves 2)" ' times'
	cluster_down
}

# ---- CPU burning ------------------------------------------------------------

run_quota_equal() { sort_once quota_equal cluster --method equal --in-place equal; }
run_quota_planned() { sort_once quota_planned cluster --in-place planned; }
burnt() {
	local within=("$here/burn" "0=0.4" "1=0.6" --)

	sort_once "$@"
}
run_burn_equal() { burnt burn_equal cluster --method equal --in-place equal; }
run_burn_planned() { burnt burn_planned cluster --in-place planned; }

# with_nodes SPEC SPEC LABEL...: runs on two nodes.
with_nodes() {
	cluster_up "$1" "$2"
	give_input equal "$records" equal
	give_input planned "$records" auto
	in_random_order "$few" "${@:3}"
	for label in "${@:3}"; do row "$label" "$label"; done >>"$scratch/rows"
	cluster_down
}

burn() {
	local label

	: >"$scratch/rows"
	with_nodes a:cpu=0.6,cpus=0@1.5 b:cpu=0.4,cpus=1@1 quota_equal quota_planned
	with_nodes a:cpu=1,cpus=0@1.5 b:cpu=1,cpus=1@1 burn_equal burn_planned
	cat <<-END

		## GPC: CPU burning and CPU quotas, $few runs each, $records records

		Two nodes have a processor each, of which 0.6 and 0.4 are left to them:
		by a quota, or because examples/papers/burn uses the rest.

	END
	head_of_table ''
	sed 's/^| \([a-z]*\)_\([a-z]*\)/| \1: \2 shares/' "$scratch/rows"
	cat <<-END

		| | by quotas | by burning |
		|---|---|---|
		| equal / planned, sort and merge | $(
			ratio quota_equal quota_planned 2) | $(
			ratio burn_equal burn_planned 2) |
		| equal / planned | $(ratio quota_equal quota_planned 1) | $(
			ratio burn_equal burn_planned 1) |
		| planned: finish times differ | $(median quota_planned 4) % | $(
			median burn_planned 4) % |
		| burning / quotas, planned, sort and merge | | $(
			ratio burn_planned quota_planned 2) |
	END
}

# ---- unknown speeds ---------------------------------------------------------

run_unknown() { sort_once unknown unknown "$LAB_DIR/home/all"; }
run_known() { sort_once known cluster "$LAB_DIR/home/all"; }
run_dealt() { sort_once dealt cluster --method equal "$LAB_DIR/home/all"; }

unknown() {
	records=$((all / 2))
	cluster_up "${half[@]}"
	jq -c 'del(.speed)' "$scratch/cluster" >"$scratch/unknown"
	checksum=$(hpgen -c "$records" "$LAB_DIR/nodes/hub/home/all" 2>&1)
	cat <<-END

		## GPC: unknown speeds, $few runs each, $records records

	END
	run_unknown
	if ! grep -q '"unite"' "$scratch/trace"; then
		cat <<-END
			Not measured: hprun gave nodes of unknown speed equal parts.  It
			does not deal batches yet, or the input is too small for them.
		END
		cluster_down
		return
	fi
	rm "$scratch/results.unknown"
	in_random_order "$few" unknown known dealt
	cat <<-END
		The nodes of Figure 2.  The launcher has the input.  The nodes of
		unknown speed get it in batches, from which hprun learns their speeds.

	END
	head_of_table ''
	row 'equal shares' dealt
	row 'known speeds' known
	row 'unknown speeds' unknown
	cat <<-END

		| | |
		|---|---|
		| equal / unknown | $(ratio dealt unknown 1) |
		| unknown / known | $(ratio unknown known 1) |
	END
	cluster_down
}

note "seed $seed"
load=$(cut -d ' ' -f 1 /proc/loadavg)
for part in ${HP_GPC_PARTS:-figure speeds memory burn unknown}; do
	records=$all
	"$part"
done
