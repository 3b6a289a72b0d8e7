# Prints the first file without its sections on GPC, then the second file.
NR > FNR {
	if (FNR == 1)
		print ""
	print
	next
}
/^## / {
	gpc = /^## GPC/
}
gpc {
	next
}
/^$/ {
	blank = blank "\n"
	next
}
{
	printf "%s", blank
	blank = ""
	print
}
