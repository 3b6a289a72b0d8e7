# Checks that colours stay apart for people with colour blindness.
#
#	awk -v least=10 -f colours.awk FILE
#
# The file has a colour #RRGGBB in each line.  The matrices simulate full
# protanopia, deuteranopia and tritanopia in linear RGB (Machado, Oliveira and
# Fernandes, A Physiologically-based Model for Simulation of Color Vision
# Deficiency, IEEE TVCG 15(6), 2009, severity 1.0).  The distance of two colours
# is that of CIELAB (1976); 10 is several times what side by side is just
# noticed.  Pairs that are closer are printed, and the exit status is 1.

function hex(s, i) {
	return 16 * (index("0123456789abcdef", substr(s, i, 1)) - 1) + \
	    index("0123456789abcdef", substr(s, i + 1, 1)) - 1
}

function linear(c) {
	c /= 255
	return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ^ 2.4
}

function clamp(x) {
	return x < 0 ? 0 : x > 1 ? 1 : x
}

function f(t) {
	return t > 0.008856 ? t ^ (1 / 3) : 7.787 * t + 16 / 116
}

# Sets lab[1..3] of the colour as seen with the matrix m.
function see(colour, m, lab,	r, g, b, i, seen, x, y, z) {
	r = linear(hex(colour, 2))
	g = linear(hex(colour, 4))
	b = linear(hex(colour, 6))
	for (i = 0; i < 3; i++)
		seen[i] = clamp(matrix[m, 3 * i] * r + matrix[m, 3 * i + 1] * g + \
		    matrix[m, 3 * i + 2] * b)
	x = f((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505)
	y = f(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2])
	z = f((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089)
	lab[1] = 116 * y - 16
	lab[2] = 500 * (x - y)
	lab[3] = 200 * (y - z)
}

function add(name, text,	v, i) {
	split(text, v, " ")
	for (i = 0; i < 9; i++)
		matrix[name, i] = v[i + 1]
	kinds[++nkinds] = name
}

{ colour[++n] = tolower($1) }

END {
	add("normal", "1 0 0 0 1 0 0 0 1")
	add("protanopia", "0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 " \
	    "-0.003882 -0.048116 1.051998")
	add("deuteranopia", "0.367322 0.860646 -0.227968 0.280085 0.672501 " \
	    "0.047413 -0.011820 0.042940 0.968881")
	add("tritanopia", "1.255528 -0.076749 -0.178779 -0.078411 0.930809 " \
	    "0.147602 0.004733 0.691367 0.303900")
	for (k = 1; k <= nkinds; k++)
		for (i = 1; i <= n; i++)
			for (j = 1; j < i; j++) {
				see(colour[i], kinds[k], p)
				see(colour[j], kinds[k], q)
				d = sqrt((p[1] - q[1]) ^ 2 + (p[2] - q[2]) ^ 2 + \
				    (p[3] - q[3]) ^ 2)
				if (d < least) {
					printf "%s: %s and %s are %.1f apart\n", \
					    kinds[k], colour[i], colour[j], d
					bad = 1
				}
			}
	exit bad
}
