# tests/lint.sh reads a file again only after a change, and never forgets a fault.

load common

# tool NAME: a checker that notes the files it reads, and finds fault with the
# word BAD.
tool() {
	cat >"bin/$1" <<-'END'
		#!/bin/bash
		for file; do
			[ -f "$file" ] || continue
			echo "$file" >>seen
			! grep -H BAD "$file" || bad=1
		done
		exit ${bad-0}
	END
	chmod +x "bin/$1"
}

setup() {
	begin
	[ -r /var/lib/dpkg/status ] || skip 'no list of packages'
	mkdir -p bin build/bin cmd examples lib man tests .ci
	cp "$TOP/tests/lint.sh" tests/
	tool clang-format
	tool shellcheck
	touch build/bin/hpplot .clang-format
	echo 'int a;' >lib/a.c
	echo 'int b;' >lib/b.c
	echo 'true' | tee tests/x.sh tests/y.sh tests/x.bats >tests/y.bats
	lint
	status_is 0
	[ "$(wc -l <seen)" = 8 ] || fail "$(<seen)"
}

lint() {
	rm -f seen
	run_ env PATH="$PWD/bin:$PATH" HP_SANITIZER=yes HPBUILD=build \
		HPBIN=build/bin tests/lint.sh
	touch seen
}

# seen_are FILE...: these files were read, and no others.
seen_are() {
	[ "$(sort seen | xargs)" = "$*" ] || fail "read: $(<seen)" "expected: $*"
}

@test "lint reads nothing again if nothing has changed" {
	lint
	status_is 0
	seen_are
}

@test "lint reads a changed file, and reports it until it passes" {
	echo BAD >>lib/a.c
	echo BAD >>tests/x.bats
	for _ in 1 2; do
		lint
		status_is 1
		stdout_has 'not ok 1'
		stdout_has 'lib/a.c:BAD'
		stdout_has 'not ok 3'
		seen_are lib/a.c tests/x.bats
	done
	sed -i /BAD/d lib/a.c tests/x.bats
	lint
	status_is 0
}

@test "lint reads all files that a change may affect" {
	echo 'false' >>tests/x.sh
	lint
	status_is 0
	seen_are build/bin/hpplot tests/lint.sh tests/x.sh tests/y.sh
	echo 'ColumnLimit: 80' >.clang-format
	lint
	seen_are lib/a.c lib/b.c
	echo '# another version' >>tests/lint.sh
	lint
	[ "$(wc -l <seen)" = 8 ] || fail "$(<seen)"
}
