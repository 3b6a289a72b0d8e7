#!/bin/bash
# Compares hpsolve with solved problems, with jq alone.  The script does not trust
# the figures that hpsolve prints: it judges each plan by the figures of the file.
#
#	vectors.sh [VECTORS]
#
# The default of VECTORS is vectors.json beside this script, whose `meta` describes the checks.
# Problems that no command line can express, such as a single value of a function,
# are left out.  Prints a line for each problem, and fails if one is not ok.
set -eu -o pipefail
export LC_ALL=C
here=$(cd "${0%/*}" && pwd)
! bin=$(cd "${HPBIN:-$here/../build/bin}" 2>&1 && pwd) || PATH=$bin:$PATH
vectors=${1:-$here/vectors.json}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Each problem as a command line, and the cluster and plan that it reads.
jq -c '
def name($i; $more): {type: "node", node: "n\($i)"} + $more;
def ratio: tostring | split("/") | map(tonumber) | .[0] / (.[1] // 1);
def cost: .cost as $c | {nlogn: "n*log(n)", linear: "n", fpm: "n", table: "n"}[$c // ""] //
    (if $c == "power" then "n^\(.b | ratio)" else "n" end);

# Nodes by speed, with what it takes to start and what they hold.
def by_speed: . as $in | .k | to_entries | map(.key as $i |
    name($i; {speed: (.value | tonumber)} +
	(if $in.startup then {latency_s: ($in.startup[$i] | tonumber)} else {} end) +
	(if ($in.mem_limit // [])[$i] then {capacity: $in.mem_limit[$i]} else {} end)));
# Nodes by the speeds at some sizes.
def by_points: .processors | to_entries | map(name(.key; .value |
    {points: [.points[] | {n: .[0], seconds: (.[0] / .[1])}],
     beyond: (if .extrap == "none" then "stop" else .extrap end),
     capacity: .mem_limit}));
# Nodes by the times for 0, 1, 2, ... items; null: not so many.
def by_table: .tables | to_entries | map(name(.key; .value |
    {points: [to_entries[] | select(.key > 0 and .value) | {n: .key, seconds: .value}],
     beyond: "stop"}));
# Nodes that have done [items, seconds, speed of the node].
def by_records: .records as $r | .k | to_entries | map(name(.key; {speed: .value}) +
    (.value as $k | [$r[] | map(tonumber) | select(.[2] == $k) |
	{n: .[0], seconds: .[1]}] | if . == [] then {} else {points: .} end));
def cluster: if .processors then by_points elif .tables then by_table
    elif .records then by_records else by_speed end;

def plan: .plan as $n | [$n | to_entries[] | {type: "share", rank: .key,
    node: "n\(.key)", n: .value, offset: ($n[:.key] | add // 0)}] +
    [{type: "plan", n: ($n | add), nodes: ($n | length)}];

def methods: {exact: ["exact"], fpm: ["fpm"], proportional: ["proportional"],
    taylor: ["taylor"], learned: ["learned"], dp: ["dp"], dp_sampled: ["dp"],
    exact_printed_rule: ["power"], certify: ["check"],
    lambert_partition: ["nlogn", "asymptotic", "asymptotic-printed"]}[.method] // [];

# A document has one time for a size on a node, and none for no item.
def stated: (.input.tables // [] | all(.[0] == 0 and all(.[1:][]; . != 0))) and
    (.input.records // [] | all(length == 3) and (map(.[0]) | unique | length) == length);

.vectors[] | select(stated) | . as $v | methods[] | {
	id: $v.id, method: ., expect: $v.expect, N: $v.input.N,
	cluster: ($v.input | cluster),
	plan: (if $v.input.plan then $v.input | plan else [] end),
	args: (["-n", "\($v.input.N)", "-c", ($v.input | cost)] +
	    (if . == "check" then ["--check", "plan"] else ["-m", .] end) +
	    (if $v.input.K then ["--block", "\($v.input.K)"] else [] end))}
' "$vectors" >"$dir/cases"

# Is what came out what the file says?
# shellcheck disable=SC2016 # the names are of jq
judge='
def near($a; $b): ($a - $b | fabs) <= 1e-9 * ($b | fabs);
def within_one($real): .shares as $n | all(range($real | length);
    ($n[.] - $real[.] | fabs) <= 1 + 1e-9 * $real[.]);
.case.expect as $x | .case.method as $m |
if $x.infeasible then .status == 1 and (.error | contains("can take \($x.capacity)"))
elif $m == "check" then .status == (if $x.ok then 0 else 1 end)
else .status == 0 and (.shares | add) == .case.N and
    if $x.exact then within_one({nlogn: $x.exact, asymptotic: $x.corrected,
	"asymptotic-printed": $x.printed}[$m].n_real)
    elif $m == "taylor" then within_one($x.n_real)
    elif $m == "power" then .shares == $x.n_optimal and near(.plan.makespan; $x.T_optimal)
    else near(.plan.makespan; $x.T_float) and
	($x.unique == null or (.plan.optimal and .plan.unique == $x.unique)) and
	(if $x.unique then .shares == $x.n else true end)
    end
end'

cd "$dir"
while read -r problem; do
	jq -c '.cluster[]' <<<"$problem" >cluster
	jq -c '.plan[]' <<<"$problem" >plan
	mapfile -t args < <(jq -r '.args[]' <<<"$problem")
	status=0
	hpsolve "${args[@]}" cluster >out 2>error || status=$?
	if jq -es --argjson case "$problem" --argjson status "$status" \
		--rawfile error error '{case: $case, status: $status,
		    error: $error, shares: map(select(.type == "share").n),
		    plan: .[-1]} | '"$judge" out >/dev/null; then
		word=ok
	else
		word='NOT OK'
	fi
	echo "$word $(jq -r '.id' <<<"$problem"): hpsolve ${args[*]}"
done <cases | tee verdicts
awk '/^ok/ { ok++ } END { print ok + 0 " of " NR " ok"; exit ok < NR }' verdicts
