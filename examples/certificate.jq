# Checks what a plan of hpsolve says, from its shares and the cluster alone:
#
#	jq -s -f certificate.jq PLAN CLUSTER
#
# prints true or false.  hp-plan(5) says what is checked, and how exactly.
#
#	jq -rs --arg print times -f certificate.jq PLAN CLUSTER | sha256sum
#
# prints the plan's digest, which `--arg digest HEX` compares in the first call.

# The bound of a whole run is proven only to `coarse`: a finer proof takes long.
def coarse: 1e-3;

# jq rounds otherwise than hpsolve does, which proves costs to 1e-11.
def tolerance: 1e-10;
def near($a; $b): ($a - $b | fabs) <= tolerance * ([$a, $b] | map(fabs) | max);
def count_most: 9007199254740992;
def divided_by($x): if $x == 0 then infinite else . / $x end;

# The cost expression as [operation, operand, ...], of {tokens}; level 0 is ?:.
def levels: {"||": 1, "&&": 2, "<=": 4, ">=": 4, "==": 4, "!=": 4, "<": 4,
    ">": 4, "+": 5, "-": 5, "*": 6, "/": 6, "^": 7};
def next: .tokens |= .[1:];
def expect($token):
	if .tokens[0] == $token then next
	else error("cost: \(.tokens[0]) where \($token) is expected") end;
def parse($level):
	def arguments:
		parse(0) | .list += [.tree] |
		if .tokens[0] == "," then next | arguments else expect(")") end;
	def operand:
		.tokens[0] as $token | next |
		if $token == null then error("cost: ends too early")
		elif $token == "-" then parse(7) | .tree = ["negative", .tree]
		elif $token == "+" then parse(7)
		elif $token == "(" then parse(0) | expect(")")
		elif $token == "n" then .tree = ["n"]
		elif $token | test("^[0-9.]") then
			.tree = ["number", ("0" + $token | sub("[.](?<e>[eE]|$)"; "\(.e)") | tonumber)]
		else
			.list as $outer | .list = [] | expect("(") | arguments |
			.tree = [$token] + .list | .list = $outer
		end;
	def operators:
		.tokens[0] as $token | levels[$token // ""] as $its | .tree as $left |
		if $its == null or $its < $level then .
		else
			# Only powers go from right to left.
			next | parse(if $token == "^" then $its else $its + 1 end) |
			.tree = [$token, $left, .tree] | operators
		end;
	if $level > 0 then operand | operators
	else
		parse(1) |
		if .tokens[0] != "?" then .
		else
			.tree as $condition | next | parse(0) | .tree as $yes |
			expect(":") | parse(0) |
			.tree = ["?", $condition, $yes, .tree]
		end
	end;
def tree:
	{tokens: [scan("[0-9]+[.]?[0-9]*(?:[eE][-+]?[0-9]+)?|[.][0-9]+(?:[eE][-+]?[0-9]+)?|[A-Za-z_][A-Za-z_0-9]*|[|][|]|&&|[<>=!]=|.")],
	    list: []} | parse(0) |
	if .tokens == [] then .tree else error("cost: \(.tokens[0]) at the end") end;

# A learned cost, [[n, cost], ...] from [0, 0] on: affine in between.
def affine($known):
	def from($i): $known[$i - 1] as $p | $known[$i] as $q |
	    ($q[1] - $p[1]) / ($q[0] - $p[0]);
	. as $x | ($known | map(select(.[0] < $x)) | length) as $i | ($known | length) as $k |
	if $i < $k then $known[$i - 1][1] + from($i) * ($x - $known[$i - 1][0])
	else $known[-1] as $q | $q[1] + ([from($k - 1), $q[1] / $q[0]] | max) * ($x - $q[0]) end;

def value($n):
	.[0] as $op |
	if $op == "n" then $n
	elif $op == "learned" then .[1] as $known | $n | affine($known)
	elif $op == "number" then .[1]
	elif $op == "?" then
		(if .[1] | value($n) != 0 then .[2] else .[3] end) | value($n)
	else
		[.[1:][] | value($n)] as [$a, $b] |
		if $op == "+" then $a + $b
		elif $op == "-" then $a - $b
		elif $op == "*" then $a * $b
		elif $op == "/" then $a | divided_by($b)
		elif $op == "^" or $op == "pow" then pow($a; $b)
		elif $op == "log" or $op == "ln" then $a | log
		elif $op == "log2" then $a | log2
		elif $op == "log10" then $a | log10
		elif $op == "exp" then $a | exp
		elif $op == "sqrt" then $a | sqrt
		elif $op == "sin" then $a | sin
		elif $op == "cos" then $a | cos
		elif $op == "abs" then $a | fabs
		elif $op == "negative" then -$a
		elif $op == "min" then [.[1:][] | value($n)] | min
		elif $op == "max" then [.[1:][] | value($n)] | max
		else
			if $op == "<" then $a < $b
			elif $op == "<=" then $a <= $b
			elif $op == ">" then $a > $b
			elif $op == ">=" then $a >= $b
			elif $op == "==" then $a == $b
			elif $op == "!=" then $a != $b
			elif $op == "&&" then $a != 0 and $b != 0
			elif $op == "||" then $a != 0 or $b != 0
			else error("cost: what is \($op)?") end |
			if . then 1 else 0 end
		end
	end;

# The time on the piece of a curve that ends with point $i: the speed is linear.
def piece_time($i; $x):
	.points[$i - 1] as $p | .points[$i] as $q |
	(($x - $p.n) / ($q.n - $p.n)) as $u |
	($p.n / $p.seconds) as $s0 | ($q.n / $q.seconds) as $s1 |
	($s0 + ($s1 - $s0) * $u) as $s |
	if $s <= 0 then infinite
	elif $q.seconds < $p.seconds then
		$q.seconds + ($p.seconds - $q.seconds) * (1 - $u) * $s0 / $s
	else $p.seconds + ($q.seconds - $p.seconds) * $u * $s1 / $s end;
def points_time($x):
	(.points | length) as $k | (.points | map(select(.n < $x)) | length) as $i |
	if $i == 0 then $x * .points[0].seconds / .points[0].n
	elif $i < $k then piece_time($i; $x)
	elif .beyond == "linear" and $k > 1 then piece_time($k - 1; $x)
	else $x * .points[-1].seconds / .points[-1].n end;
def time($x):
	if $x == 0 then 0
	elif $x > .limit then infinite
	else
		.latency_s + $x * .seconds_per_item +
		(if .points then points_time($x)
		else (.cost | value($x)) / .speed end)
	end;

# The most items that a node takes.
def limit:
	([.capacity // count_most, count_most] | min) as $most |
	if (.points | not) or .beyond == "const" then $most
	elif .beyond == "stop" then [$most, .points[-1].n] | min
	elif (.points | length) == 1 then $most
	else
		.points[-2] as $p | .points[-1] as $q |
		(($q.n / $q.seconds - $p.n / $p.seconds) / ($q.n - $p.n)) as $slope |
		if $slope >= 0 then $most
		else [$most, ($q.n - $q.n / $q.seconds / $slope | floor)] | min end
	end;

# Sizes between which the time goes one way: [first, last] of each stretch.  A
# falling time to which transport is added turns once.
def turn($i; $first; $last):
	.points[$i - 1] as $p | .points[$i] as $q |
	($p.n / $p.seconds) as $s0 | ($q.n / $q.seconds) as $s1 |
	($s0 * $s1 * ($q.seconds - $p.seconds) / ($q.n - $p.n)) as $a |
	if .seconds_per_item == 0 or $a >= 0 then [$first, $last]
	else
		((-$a / .seconds_per_item | sqrt) - $a) /
		    (($s1 - $s0) / ($q.n - $p.n)) | floor |
		if . > $first and . < $last then [$first, .], [. + 1, $last]
		else [$first, $last] end
	end;
def stretches:
	.limit as $limit | ((.points // []) | length) as $k |
	[0] + [(.points // [])[].n] + [$limit] | . as $ends |
	[range(length - 1) | [., $ends[.] + 1, ([$ends[. + 1], $limit] | min)] |
	    select(.[1] <= .[2])];

# The sizes that a node can do by $T, as ranges.
def within($T):
	. as $node |
	def alike($in; $first; $last):
		if $last - $first <= 1 then $first
		else
			($first + ($last - $first) / 2 | floor) as $middle |
			if ($node | time($middle) <= $T) == $in then
				alike($in; $middle; $last)
			else alike($in; $first; $middle) end
		end;
	[[0, 0]] + [stretches[] | . as [$i, $first, $last] | $node |
	    if .points == null or $i == 0 then [$first, $last]
	    elif $i < (.points | length) then turn($i; $first; $last)
	    elif .beyond == "linear" and $i > 1 then turn($i - 1; $first; $last)
	    else [$first, $last] end |
	    . as [$first, $last] |
	    ($node | time($first) <= $T) as $begins |
	    ($node | time($last) <= $T) as $ends |
	    if $begins == $ends then select($begins)
	    else
		alike($begins; $first; $last) as $border |
		if $begins then [$first, $border] else [$border + 1, $last] end
	    end];
def joined:
	sort | reduce .[] as $r ([]; if length > 0 and $r[0] <= .[-1][1] + 1
	    then .[-1][1] |= ([., $r[1]] | max) else . + [$r] end);
# Can the nodes do $n items together by $T?
def suffices($n; $T):
	reduce .[] as $node ([[0, 0]]; . as $sums | ($node | within($T) | joined) as $its |
	    [$sums[] as $a | $its[] as $b |
		[$a[0] + $b[0], ([$a[1] + $b[1], $n] | min)] | select(.[0] <= $n)] | joined) |
	any(.[]; .[0] <= $n and $n <= .[1]);

# What the nodes measured as one cost, which their speeds divide.
def learned_speeds:
	if any(.[]; .speed) then map(.speed // 1)
	elif all(.[]; .points == null) then map(1)
	else
		([.[] | select(.points) | .points[-1].n] | min) as $n |
		map(if .points then $n / points_time($n) else null end) |
		max as $fastest | map(if . then . / $fastest else . end) |
		(map(numbers) | add / length) as $mean | map(. // $mean)
	end;
def pooled:
	reduce .[] as [$n, $cost] ([];
	    . + [{cost: $cost, weight: $n[1], sizes: [$n[0]]}] |
	    until(length < 2 or .[-1].cost >= .[-2].cost;
		.[-1] as $b | .[-2] as $a | .[:-2] + [{
		    cost: (($a.cost * $a.weight + $b.cost * $b.weight) / ($a.weight + $b.weight)),
		    weight: ($a.weight + $b.weight), sizes: ($a.sizes + $b.sizes)}])) |
	[.[] | .cost as $cost | .sizes[] | [., $cost]];
def learn($speeds):
	[range(length) as $i | .[$i].points // [] | .[] | [.n, .seconds * $speeds[$i]]] |
	group_by(.[0]) | map([[.[0][0], length], (map(.[1]) | add / length)]) | pooled |
	if . == [] then [[1, 1]] else . end | [[0, 0]] + .;
# The nodes with the times that the plan names, or null where it cannot be.  A cost may
# fall beyond the items of the plan, so none takes more.
def complete($plan):
	map(.latency_s //= 0 | .seconds_per_item //= 0 |
	    .beyond = ($plan.beyond // .beyond // "const") | .limit = ([limit, $plan.n] | min));
def models($plan):
	complete($plan) | (map(select(.points)) | length) as $measured | length as $all |
	($plan.cost // "n*log(n)") as $cost |
	if $cost == "learned" then
		learned_speeds as $speeds | learn($speeds) as $known |
		[range($all) as $i | .[$i] | .speed = $speeds[$i] | .points = null |
		    .cost = ["learned", $known]]
	elif ($cost == "points") != ($measured == $all) or
	    ($cost | startswith("points, ")) != ($measured > 0 and $measured < $all) then null
	else
		($cost | sub("^points(, |$)"; "")) as $text |
		(if $text == "" then null else $text | tree end) as $tree |
		any(.[]; .speed or .points) as $known |
		map(.cost = $tree | if $known then . else .speed = 1 end) |
		if all(.[]; .points or .speed) then . else null end
	end;

def number: if . == 0 then "0"
    else frexp | "\(.[0] * count_most)p\(.[1] - 53)" end;
def link_times: (.send // 0, .receive // 0, .latency_s // 0) | number;
# Numbers that older documents do not have: nothing if all are missing.
def new_times: map(. // 0) | if any(.[]; . != 0) then .[] | number else empty end;
def stage_times($plan; $launcher):
	([$plan.bytes_per_item | number] + [$launcher.link // {} | link_times] +
	    [$launcher // {} | [.begin_s, .finish_s] | new_times] +
	    [$launcher // {} | [.divide_seconds_per_item] | new_times] +
	    [$launcher // {} | [.batch_begin_s, .batch_finish_s] | [new_times] |
	        select(. != []) | "batches", .[]]),
	(.[] | [if .host then "host" else "here" end, if .link then "link" else "" end,
	    (.link // {} | link_times), (.merge_seconds_per_item, .login_s, .step_s |
		. // 0 | number), ([.arrive_seconds_per_item, .exchange_seconds_per_item,
		.return_seconds_per_item, .sort_rest, .candidate_s] | new_times),
	    ([.batch_seconds_per_item] | new_times)]) |
	map("\(.)\t") | add;
def times($plan; $launcher):
	. as $nodes | complete($plan) | map([.capacity // count_most, (.latency_s, .seconds_per_item,
	    .speed // 0 | number), .beyond, (.points // [] | .[] | .n, (.seconds | number))] |
	    map("\(.)\t") | add) |
	[$plan.cost // "n*log(n)"] + . +
	if $plan.bytes_per_item then [$nodes | stage_times($plan; $launcher)] else [] end |
	join("\n");

# Whole runs.  The nodes get the members `remote` and `link`, from the launcher's.
def no_link: {send: null, receive: null, latency_s: 0};
# Do the nodes get their items in batches?
def batched($plan):
	$plan.by_key and any(.[]; .host) and all(.[]; (.batch_seconds_per_item // 0) > 0 and
	    (.capacity // count_most) >= count_most);
# The launcher's time, or its own for batches if this is known.
def overhead($name; $batched):
	(if $batched then .["batch_" + $name] else null end) as $own |
	if ($own // 0) > 0 then $own else .[$name] // 0 end;
# The launcher's time to divide the items.
def divides($plan):
	if $plan.by_key then $plan.n * (.divide_seconds_per_item // 0) else 0 end;
def linked($launcher; $plan):
	(no_link + ($launcher.link // {})) as $here |
	batched($plan) as $batched |
	map(.remote = (.host != null) | .merge = (.merge_seconds_per_item // 0) |
	    .login = (.login_s // 0) | .step = (.step_s // 0) |
	    .arrive = (.arrive_seconds_per_item // 0) |
	    .exchange = (.exchange_seconds_per_item // 0) |
	    .return = (.return_seconds_per_item // 0) |
	    .rest = (if .remote then .sort_rest // 1 else 1 end) |
	    .candidate = (.candidate_s // 0) |
	    .batch = (.batch_seconds_per_item // 0) | .batched = $batched |
	    .by_key = ($plan.by_key // false) |
	    .begin = ($launcher | overhead("begin_s"; $batched)) |
	    .finish = ($launcher | overhead("finish_s"; $batched)) |
	    .divide = ($launcher | divides($plan)) |
	    .link = (if .remote or .link then no_link + (.link // {}) else $here end));
# A transfer during which the machine works for $work seconds.
def transfer($link; $bytes; $rate; $work): if $bytes == 0 then 0
	else $link.latency_s + ([if $rate then $bytes / $rate else 0 end, $work] | max) end;
def stage_names: ["start", "send", "sort", "pivots", "exchange", "merge", "gather"];
# The steps of the search for pivots among $N items of $B bytes on $p nodes, and the
# bytes of its documents: to each node, from each node, and from all together.
def rounds($p; $N; $B):
	(72 + 2 * $B) as $line | ([1024, 64 * $p] | max) as $whole |
	def next: .round += 1 |
		([64 * $p, if .open > 1073741824 then 4096
		    elif .open <= 1024 and .open > 0 then 1024 else 512 end] | max) as $most |
		([$most, .open] | min) as $c | .last = (.open <= ([$most, 1024] | max)) |
		.steps += 1 | .to += $p * (if .round == 1 then 130 else $line end) |
		.all += $c * $line |
		if $N > $whole then
			.steps += 1 | .to += $c * $line | .counted += $c |
			.from += ([$c, $N / $p] | min) * 53
		else . end |
		.open = if $c > 0 then .open * 2 / $c * ([$p - 1, 1] | max) | ceil else 0 end;
	{round: 0, open: $N, steps: 1, to: ($p * $line), from: 0, all: 0, counted: 0, last: false} |
	until(.last or .round == 10; next);
def moved($bytes; $rate): if $rate then $bytes / $rate else 0 end;
# The time of a node with $x items in stage $k, and of the launcher with $x items on
# $hosts nodes.  $R: the rounds.
def stage_time($k; $x; $N; $B; $R):
	if $x == 0 or (.by_key and $k > 1 and $k < 6) then 0
	elif $k == 0 then
		.batched as $meanwhile |
		.begin + ([.divide, if .remote then .login else 0 end] |
		    if $meanwhile then max else add end)
	elif $k == 1 and .batched and (.remote | not) then $x * .batch
	elif $k == 1 and .batched then
		[transfer(.link; $x * $B; .link.receive; $x * .batch),
		    transfer(.link; $x * $B; .link.send; 0)] | max
	elif $k == 1 then
		if .remote then transfer(.link; $x * $B; .link.receive; $x * .arrive) else 0 end
	elif $k == 2 then time($x) * .rest
	elif $k == 3 then
		$R.steps * .step + $R.counted * .candidate +
		if .remote then $R.steps * 2 * .link.latency_s +
		    moved($R.to; .link.receive) +
		    moved($R.from + $R.all * $x / $N; .link.send) else 0 end
	elif $k == 4 then
		if $x >= $N then 0 else
			($x * ($N - $x) / $N) as $away |
			.step + ([transfer(.link; $away * $B; .link.send, .link.receive;
			    $away * .exchange)] | max)
		end
	elif $k == 5 then
		.step + if .remote and .return > 0 then 0 else $x * .merge end
	elif .batched then .finish
	else .finish + if .by_key then time($x) * .rest else 0 end + if .remote then
		transfer(.link; $x * $B; .link.send; $x * .return) else 0 end end;
def launcher_time($k; $x; $hosts; $B; $R):
	if $k == 0 then .begin + .divide
	elif $k == 1 then [transfer(.; $x * $B; .send; 0),
		if .batched then transfer(.; $x * $B; .receive; 0) else 0 end] | max
	elif $k == 3 and $hosts > 0 and (.by_key | not) then
		$R.steps * 2 * .latency_s + moved($hosts * $R.to; .send) +
		    moved($hosts * $R.from + $R.all; .receive)
	elif $k == 6 then
		.finish + if .batched then 0 else transfer(.; $x * $B; .receive; 0) end
	else 0 end;
# The greatest x from 0 to $most for which f is true; f is true up to some x.
def greatest($most; f):
	def between($lo; $hi): if $hi - $lo <= 1 then $lo
		else ($lo + ($hi - $lo) / 2 | floor) as $mid |
		    if $mid | f then between($mid; $hi) else between($lo; $mid) end end;
	if $most | f then $most else between(0; $most) end;
# Can the nodes do all $N items if stage k has the time $T[k]?  $big: the node
# with more than half of the items, or null.
def stages_suffice($launcher; $T; $big; $N; $B; $R):
	. as $nodes | (if $launcher.by_key then $N else $N / 2 | floor end) as $half |
	(($N - 1) / 2) as $less |
	def upto($node; $most; $k): $most | if $most <= 0 then 0 else
		greatest($most; . as $x | $node | stage_time($k; $x; $N; $B; $R) <= $T[$k]) end;
	(if $big == null then $N else upto($nodes[$big]; $less | floor; 4) end) as $away |
	([0, 1, 6] | any(.[]; . as $k | $launcher | launcher_time($k; 0; 0; $B; $R) > $T[$k]))
	    as $late |
	([1, 6] | map(. as $k |
	    greatest($N; . as $x | $launcher | launcher_time($k; $x; 1; $B; $R) <= $T[$k])) |
	    min) as $served |
	greatest($nodes | length; . as $x | $launcher |
	    launcher_time(3; $N; $x; $B; $R) <= $T[3]) as $most |
	[range(length) as $i | $nodes[$i] as $node |
	    reduce (0, 1, 2, 3, 5, 6, 4) as $k ([$N, $node.limit] | min;
		if $k != 4 then upto($node; .; $k)
		elif $i == $big then .
		else upto($node; [., if $big == null then $half else $less | floor end] | min; $k)
		end)] as $every |
	# The launcher has documents for the $most hosts with the most items.
	($big != null and $nodes[$big].remote) as $far |
	(if $far and $most == 0 then $every | .[$big] = 0 else $every end) as $cap |
	($most - if $far then 1 else 0 end) as $others |
	([range(length) | select(. != $big and $nodes[.].remote) | $cap[.]] | sort | reverse |
	    .[:[$others, 0] | max] | add // 0) as $remote |
	([range(length) | select(. != $big and ($nodes[.].remote | not)) | $cap[.]] | add // 0)
	    as $local |
	if $late then false
	elif $big == null then $local + ([$served, $remote] | min) >= $N
	elif $nodes[$big].remote | not then
		$cap[$big] + ([$local + ([$served, $remote] | min), $away] | min) >= $N
	elif $cap[$big] >= $served then $served + ([$local, $away] | min) >= $N
	else
		$cap[$big] + ([$local + ([$remote, $served - $cap[$big]] | min), $away] | min)
		    >= $N
	end;
# Is there no plan with the sum $S of its stages?  Boxes of times: the last stage
# has what the first ones, at least $lo, leave of $S.  Each box is halved until
# not even its longest times suffice; one that is too small to halve may hold a plan.
def none_within($launcher; $S; $big; $N; $B; $R):
	. as $nodes |
	def longest: . as $box | [range(7) as $k |
	    [$box.hi[$k], $S - ($box.lo | add) + $box.lo[$k]] | min];
	def none: longest as $T |
		if any(range(7) as $k | $T[$k] < .lo[$k]; .) then true
		elif $nodes | stages_suffice($launcher; $T; $big; $N; $B; $R) | not then true
		else
			[range(7) as $k | $T[$k] - .lo[$k]] as $width |
			($width | index(max)) as $k |
			if $width[$k] <= $S * coarse / 50 then false
			else
				(.lo[$k] + $width[$k] / 2) as $mid |
				(.hi = $T | .hi[$k] = $mid | none) and
				(.hi = $T | .lo[$k] = $mid | none)
			end
		end;
	{lo: [range(7) | 0], hi: [range(7) | $S]} | none;
def whole_run($plan; $launcher; $nodes; $stages):
	. as $shares | $plan.n as $N | $plan.bytes_per_item as $B |
	($nodes | batched($plan)) as $batched |
	(no_link + ($launcher.link // {}) + {begin: ($launcher | overhead("begin_s"; $batched)),
	    divide: ($launcher | divides($plan)),
	    finish: ($launcher | overhead("finish_s"; $batched)),
	    by_key: ($plan.by_key // false), $batched}) as $link |
	($nodes | linked($launcher; $plan)) as $n |
	rounds($n | length; $N; $B) as $R |
	[range(length) | select($n[.].remote) | $shares[.].n | select(. > 0)] as $remote |
	[range(7) as $k | [range($n | length) as $i |
	    $n[$i] | stage_time($k; $shares[$i].n; $N; $B; $R)]] as $each |
	[range(7) as $k | $link |
	    launcher_time($k; $remote | add // 0; $remote | length; $B; $R)] as $served |
	[range(7) as $k | [$each[$k][], $served[$k]] | max] as $seconds |
	$plan.makespan as $makespan | $plan.bound as $bound |
	all($seconds[]; . < infinite) and near($makespan; $seconds | add) and
	($stages == [] or (($stages | map(.stage)) == stage_names and
	    all(range(7) as $k | $stages[$k] |
		near(.seconds; $seconds[$k]) and near(.launcher // 0; $served[$k]) and
		(.by_rank | length) == ($n | length) and
		all(range($n | length) as $i | near(.by_rank[$i]; $each[$k][$i]); .); .))) and
	all(range(length) as $i | $shares[$i].seconds as $s | $s == null or
	    near($s; [range(7) as $k | $each[$k][$i]] | add); .) and
	$bound <= $makespan * (1 + tolerance) and
	(($plan.optimal | not) or $makespan * (1 - 1e-6) <= $bound * (1 + tolerance)) and
	(($plan.unique | not)) and
	($bound == 0 or all((null, if $plan.by_key then empty else range(length) end) as $big |
	    $n | none_within($link; $bound * (1 - coarse); $big; $N; $B; $R); .));

# A point at the quantile of its measured times.
def risk($P): if .low and .high and .high >= .low and .low > 0
	then .seconds = .low + $P * (.high - .low) else . end;

def shares_add_up($plan; $nodes):
	length == ($nodes | length) and $plan.nodes == length and
	map(.n) == map(.n | floor) and (map(.n) | add == $plan.n and min >= 0) and
	map(.node) == ($nodes | map(.node)) and map(.rank) == [range(length)] and
	. as $s | [range(length)] | all(.[]; $s[.].offset == ($s[:.] | map(.n) | add // 0));

# In a whole run, more items never take less time.
def lifted:
	reduce .[] as $p ([]; (.[-1].seconds // 0) as $before |
	    . + [$p | .seconds = ([.seconds, $before] | max)]);

def certificate($plan; $nodes):
	[range(length) as $i | .[$i] as $share | $nodes[$i] | time($share.n)] as $times |
	$plan.makespan as $makespan | $plan.bound as $bound |
	all(range(length) as $i | .[$i].seconds as $s | $s == null or near($s; $times[$i]); .) and
	all($times[]; . < infinite) and
	near($makespan; $times | max) and
	$bound <= $makespan * (1 + tolerance) and
	($nodes | suffices($plan.n; $bound * (1 + tolerance))) and
	($bound == 0 or ($nodes | suffices($plan.n; $bound * (1 - tolerance)) | not)) and
	(($plan.optimal | not) or near($makespan; $bound)) and
	(($plan.unique | not) or $plan.optimal);

map(select(.type == "plan")) as $plans | $plans[0] as $plan |
map(if (.type == "node" or .type == "launcher") and .points then
	(if $plan.risk then .points |= map(risk($plan.risk)) else . end) |
	(if $plan.bytes_per_item then .points |= lifted else . end)
    else . end) |
map(select(.type == "launcher")) as $launchers |
map(select(.type == "stage")) as $stages |
map(select(.type == "node")) as $nodes | map(select(.type == "share")) as $shares |
if ($plans | length) != 1 then error("give one plan, and its cluster")
elif $plan.at or ($nodes | map(.node) | unique | length) < ($nodes | length) then
	error("a node has several lines: use hpsolve --check")
elif $ARGS.named.print == "times" then $nodes | times($plan; $launchers[0] // {})
else
	($nodes | models($plan)) as $models |
	$models != null and ($shares | shares_add_up($plan; $nodes)) and
	(if $plan.bytes_per_item then
	    $shares | whole_run($plan; $launchers[0] // {}; $models; $stages)
	else $stages == [] and ($shares | certificate($plan; $models)) end) and
	($ARGS.named.digest == null or
	    ($ARGS.named.digest | split(" ")[0]) == $plan.digest)
end
