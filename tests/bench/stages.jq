# The stages of a run: lines of a name and seconds.  The last line is for the whole
# run.  The input is the time at which the run began, the time at which it ended, and
# its trace.  A stage begins when the stage before it has ended on all machines, as in
# the plan.
. as [$start, $stop] | .[2:] as $steps |
def ended(f): $steps | map(select(f).end_s) | max;
# With batches by key, all hosts work while batches are sent.  Otherwise, without an
# exchange, a host returns its part while it ends its sort.
all($steps[]; .step != "exchange") as $by_key |
($steps | map(select(.step == "sort").rank) | length > (unique | length)) as $batches |
(if $by_key and $batches then "sort" else "send" end) as $sent |
(if $by_key and any($steps[]; .step == "send") then $sent else "sort" end) as $last |
ended(.step == $last) as $sorted |
ended(.step == "count" and .end_s < $sorted and .rank == null or
	.step == "plan" or .step == "deal") as $dealt |
# The launcher divides batches by key while it logs in.
(if $by_key and $batches then
	[$dealt, ($steps | map(select(.step == "send").start_s) | min)] | max
	else $dealt end) as $planned |
# A host that returns its part while it merges belongs to gather.
($steps | map(select(.step == "gather").rank)) as $returned |
($steps | map(select(.step == "merge") |
	if .rank | IN($returned[]) then .start_s else .end_s end) | max) as $merged |
([["start", ($planned // $start)], ["send", ended(.step == $sent)],
  ["sort", $sorted], ["pivots", ended(.step == "cut")],
  ["exchange", ended(.step == "exchange")],
  ["merge", $merged], ["gather", $stop]] |
	reduce .[] as [$name, $at] ({before: $start, out: []};
		.out += [[$name, ([0, ($at // .before) - .before] | max)]] |
		.before = ([.before, $at // 0] | max)) |
	.out[]),
["run", $stop - $start] | @tsv
