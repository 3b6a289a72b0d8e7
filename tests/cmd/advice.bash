# Clusters for which fewer machines may be faster.
# shellcheck shell=bash

# cluster RATE ALONE A B C: writes a cluster of a launcher and three hosts.  All
# links have RATE bytes/s, except that of the last host, which has a tenth of
# it.  ALONE, A, B and C are the seconds in which the launcher and the hosts
# sort 1,000 records.
cluster() {
	local rate=$1 slow

	slow=$(awk "BEGIN { print $rate / 10 }")
	cat >cluster <<-end
	{"type":"launcher","link":{"send":$rate,"receive":$rate},"points":[{"n":1000,"seconds":$2}]}
	{"type":"node","node":"a","host":"a","link":{"send":$rate,"receive":$rate},"points":[{"n":1000,"seconds":$3}],"merge_seconds_per_item":0.00001}
	{"type":"node","node":"b","host":"b","link":{"send":$rate,"receive":$rate},"points":[{"n":1000,"seconds":$4}],"merge_seconds_per_item":0.00002}
	{"type":"node","node":"c","host":"c","link":{"send":$slow,"receive":$slow},"points":[{"n":1000,"seconds":$5}],"merge_seconds_per_item":0.00003}
	end
}

# ten clusters: the rate in bytes/s, from 10 Mbit/s to 10 Gbit/s, and the seconds
# for 1,000 records of the launcher and of each host.
ten() {
	cat <<-'end'
	1.25e6 0.1 0.1 0.1 0.1
	1.25e6 3 0.5 1 1
	1.25e6 1 1 4 9
	1.25e7 0.02 0.01 0.01 0.01
	1.25e7 0.5 0.2 0.2 0.4
	1.25e8 0.002 0.002 0.004 0.01
	1.25e8 0.01 0.02 0.02 0.02
	1.25e8 1 0.5 0.8 2
	1.25e9 0.0005 0.002 0.002 0.002
	1.25e9 0.1 0.1 0.2 0.3
	end
}
