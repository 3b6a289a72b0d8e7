#!/bin/sh
# Step 8: each node merges the pieces that arrived.
. "$(dirname "$0")/start.sh"
need from.0.0 7-exchange.sh

for i in $nodes; do
	hpmerge -o "part.$i" "from.$i.0" "from.$i.1" "from.$i.2"
	hpcheck "part.$i" >"summary.$i"
	show "part.$i"
done

# The summaries of the parts prove that the whole is in order.
cat part.0 part.1 part.2 >result
hpcheck --combine summary.0 summary.1 summary.2 |
	jq -r '"\(.records) words, sorted: \(.sorted)"'
ask 'Which step ensures that, in alphabetical order, all words of' \
	'part.0 come before all words of part.1?'
