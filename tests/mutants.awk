# Prints the mutants of one C file, one a line:
#
#	FILE LINE OPERATOR START LENGTH REPLACEMENT
#
# separated by tabs.  START counts bytes from 1.  In REPLACEMENT, @ stands for
# the text replaced.  The operators are:
#
#	negate	if (X) becomes if (!(X))
#	bound	< becomes <=, == becomes !=, and so on
#	logic	&& becomes ||, and || becomes &&
#	sign	+ becomes -, += becomes -=, and ++ becomes --
#	number	N becomes N + 1
#	return	0 becomes -1, true becomes false, and a call is negated
#	drop	the statement is removed: a call, an assignment, break, goto
#
# Comments, strings and the preprocessor's lines have no mutants.

BEGIN {
	swap("bound", "< <=  <= <  > >=  >= >  == !=  != ==")
	swap("logic", "&& ||  || &&")
	swap("sign", "+ -  - +  += -=  -= +=  ++ --  -- ++")
	swap("return", "0 -1  true false  false true")
	# The longest first.
	operators = split("<<= >>= ... -> ++ -- << >> <= >= == != && || " \
	    "+= -= *= /= %= &= |= ^=", operator_list, " ")
}

{ text = text $0 "\n" }

END {
	scan()
	for (i = 1; i <= n; i++)
		mutate(i)
}

function swap(name, pairs,    word, k, words) {
	words = split(pairs, word, " ")
	for (k = 1; k < words; k += 2)
		other[name, word[k]] = word[k + 1]
}

# Fills token[], kind[], at[], line[], the depths of braces and parentheses
# before each token, and close_of[] for each parenthesis that opens.
function scan(    p, c, end, len, k, row, fresh, braces, parens, open) {
	end = length(text)
	row = 1
	fresh = 1
	for (p = 1; p <= end; p += len) {
		c = substr(text, p, 1)
		len = 1
		if (c == "\n") {
			row++
			fresh = 1
			continue
		}
		if (c == " " || c == "\t")
			continue
		if (fresh && c == "#") {
			len = directive(p)
			row += newlines(substr(text, p, len))
			continue
		}
		fresh = 0
		if (substr(text, p, 2) == "/*") {
			len = index(substr(text, p), "*/") + 1
			row += newlines(substr(text, p, len))
			continue
		}
		n++
		at[n] = p
		line[n] = row
		if (c == "\"" || c == "'") {
			len = quoted(p, c)
			kind[n] = "text"
		} else if (c ~ /[A-Za-z_]/) {
			match(substr(text, p, 80), /^[A-Za-z_0-9]+/)
			len = RLENGTH
			kind[n] = "name"
		} else if (c ~ /[0-9]/) {
			match(substr(text, p, 80), /^(0[xX][0-9a-fA-F.pP]*([pP][-+]?[0-9]+)?|[0-9.]+([eE][-+]?[0-9]+)?)[uUlL]*/)
			len = RLENGTH
			kind[n] = "number"
		} else {
			kind[n] = "mark"
			for (k = 1; k <= operators; k++)
				if (substr(text, p, length(operator_list[k])) == operator_list[k]) {
					len = length(operator_list[k])
					break
				}
		}
		token[n] = substr(text, p, len)
		if (token[n] == "}")
			braces--
		if (token[n] == ")") {
			parens--
			close_of[open[parens]] = n
		}
		brace_depth[n] = braces + 0
		paren_depth[n] = parens + 0
		if (token[n] == "{")
			braces++
		if (token[n] == "(")
			open[parens++] = n
	}
}

# The length of a directive, with the lines that continue it.
function directive(p,    len, rest) {
	rest = substr(text, p)
	len = 0
	while (match(rest, /^[^\n]*\\\n/)) {
		len += RLENGTH
		rest = substr(rest, RLENGTH + 1)
	}
	return len + index(rest, "\n") - 1
}

function newlines(s) {
	return gsub(/\n/, "", s)
}

function quoted(p, mark,    len, c) {
	for (len = 1; (c = substr(text, p + len, 1)) != mark && c != ""; len++)
		if (c == "\\")
			len++
	return len + 1
}

function put(operator, i, start, len, replacement) {
	printf "%s\t%d\t%s\t%d\t%d\t%s\n", FILENAME, line[i], operator, start,
	    len, replacement
}

function put_token(operator, i, replacement) {
	put(operator, i, at[i], length(token[i]), replacement)
}

function mutate(i,    t) {
	t = token[i]
	if (t == "if" && token[i + 1] == "(" && !simple(i + 1))
		put("negate", i + 1, at[i + 1] + 1,
		    at[close_of[i + 1]] - at[i + 1] - 1, "!(@)")
	else if (t == "return" && token[i + 2] == ";" &&
	    ("return", token[i + 1]) in other)
		put_token("return", i + 1, other["return", token[i + 1]])
	else if (t == "return" && token[i + 1] == "-" && token[i + 2] == "1" &&
	    token[i + 3] == ";")
		put("return", i + 1, at[i + 1], at[i + 3] - at[i + 1], "0")
	else if (t == "return" && kind[i + 1] == "name" &&
	    token[i + 2] == "(" && token[close_of[i + 2] + 1] == ";")
		put("return", i + 1, at[i + 1],
		    at[close_of[i + 2] + 1] - at[i + 1], "!@")
	if (("bound", t) in other)
		put_token("bound", i, other["bound", t])
	else if (("logic", t) in other)
		put_token("logic", i, other["logic", t])
	else if (("sign", t) in other && (t !~ /^[-+]$/ || binary(i)))
		put_token("sign", i, other["sign", t])
	else if (kind[i] == "number" && !plain(i))
		put_token("number", i, "(@ + 1)")
	if (brace_depth[i] > 0 && paren_depth[i] == 0 && begins(i))
		drop(i)
}

# Whether bound alone negates the condition between parentheses from token i on.
function simple(i,    k, equalities) {
	for (k = i; k < close_of[i]; k++) {
		if (token[k] ~ /^(&&|[|][|]|[?<>]|<=|>=)$/)
			return 0
		equalities += token[k] ~ /^[!=]=$/
	}
	return equalities == 1
}

# Whether + or - has a left operand.
function binary(i) {
	if (kind[i - 1] == "mark")
		return token[i - 1] ~ /^[])]$/
	return token[i - 1] !~ /^(return|case)$/
}

# Whether a number is no decision of the program: { 0 }, the size of an array
# that is declared, -1 that is compared, or what another operator changes.
function plain(i) {
	return (token[i - 1] == "{" && token[i + 1] == "}") ||
	    (token[i - 1] == "[" && token[i + 1] == "]" &&
	    token[i + 2] ~ /^[;=,]$/ && kind[i - 3] ~ /name|mark/ &&
	    token[i - 3] ~ /^([a-z_]+|\*)$/) ||
	    (token[i - 1] == "return" && token[i + 1] == ";" && token[i] == "0") ||
	    (token[i - 2] == "return" && token[i - 1] == "-") ||
	    (token[i - 2] ~ /^[!=]=$/ && token[i - 1] == "-")
}

function begins(i,    before) {
	before = token[i - 1]
	return (kind[i] == "name" || token[i] ~ /^(\*|\(|\+\+|--)$/) &&
	    before ~ /^([;{}):]|else|do)$/
}

# Emits the removal of the statement that begins at token i, unless it declares
# something or is compound.  Memory that is not freed is for a leak checker.
function drop(i,    k, statement) {
	for (k = i; k <= n && token[k] != ";"; k++)
		if (token[k] == "{" || token[k] == "}" || token[k] == ":")
			return
	statement = substr(text, at[i], at[k] - at[i])
	if (statement ~ /^(break|continue)$/ || statement ~ /^goto / ||
	    statement ~ /^(\(void\))?[A-Za-z_0-9>.-]+\(/ ||
	    statement ~ /^\*?[A-Za-z_0-9>.-]+(\[[^=]*\][A-Za-z_0-9>.-]*)* ([-+*\/%&|^]|<<|>>)?= / ||
	    statement ~ /(\+\+|--)$/)
		if (statement !~ /^(return|else|if|for|while|switch|do|sizeof|free)[^a-z_]/)
			put("drop", i, at[i], at[k] - at[i], "")
}
