# make install, uninstall and dist: what a packager does.

load common

# In a BUILD of make's there can be no blanks, as there can in the way to it.
make_() {
	env -u MAKEFLAGS make -s -C "$TOP" \
		BUILD="$(realpath --relative-to="$TOP" "$HPBIN/..")" "$@"
}

@test "install puts every program and page under DESTDIR and PREFIX" {
	make_ install DESTDIR="$PWD/dest" PREFIX=/opt/hp
	(cd "$HPBIN" && ls) >want
	(cd dest/opt/hp/bin && ls) >got
	same got want
	(cd "$TOP/man" && printf '%s\n' *.[157]) | sort >want
	(cd dest/opt/hp/share/man && printf '%s\n' */*) | sed 's|.*/||' |
		sort >got
	same got want
	[ -z "$(find dest -type f -perm /022)" ]
	[ "$(dest/opt/hp/bin/hpgen --version)" = "$(hpgen --version)" ]
}

@test "prefix is PREFIX" {
	make_ install DESTDIR="$PWD/dest" prefix=/usr
	[ -x dest/usr/bin/hpsort ]
	[ -f dest/usr/share/man/man1/hpsort.1 ]
	make_ uninstall DESTDIR="$PWD/dest" prefix=/usr
	run_ find dest -type f
	stdout_is ""
}

@test "uninstall takes away all of it, and nothing else" {
	mkdir -p 'de st/usr/local/bin'
	echo mine >'de st/usr/local/bin/mine'
	make_ install DESTDIR="$PWD/de st"
	make_ uninstall DESTDIR="$PWD/de st"
	run_ find 'de st' -type f
	stdout_is 'de st/usr/local/bin/mine'
	make_ uninstall DESTDIR="$PWD/none"
}

@test "installing again replaces, with BINDIR and MANDIR" {
	make_ install DESTDIR="$PWD/dest" BINDIR=/b MANDIR=/m
	make_ install DESTDIR="$PWD/dest" BINDIR=/b MANDIR=/m
	[ -x dest/b/hpsort ]
	[ -f dest/m/man1/hpsort.1 ]
	[ ! -e dest/usr ]
}

# deps with an apt-get that only says what it was asked, as somebody; the
# compiler finds no header.
deps() {
	mkdir -p bin
	printf '#!/bin/sh\necho "apt-get $*"\n' >bin/apt-get
	printf '#!/bin/sh\necho %s\n' "$1" >bin/id
	chmod +x bin/apt-get bin/id
	run_ env PATH="$PWD/bin:$PATH" CC="$2" "$TOP/tests/deps" "${@:3}"
}

@test "deps does nothing where all is there" {
	deps 0 cc all check lint demo
	status_is 0
	stdout_is ""
	stderr_is ""
}

@test "deps installs what is missing, for the goals that are asked" {
	deps 0 false all
	status_is 0
	stdout_has "apt-get update"
	stdout_has "apt-get install -y --no-install-recommends"
	stdout_has libjansson-dev
	[[ $output != *bats* && $output != *clang* ]]
}

@test "deps without the right to install prints the command and fails" {
	deps 1000 false all
	status_is 1
	stdout_is ""
	stderr_has "apt-get install -y --no-install-recommends"
	stderr_has libbsd-dev
}

@test "with -j too, nothing is built before deps is done" {
	[[ $PWD != *' '* ]] || skip 'make bears no blanks'
	mkdir bin
	cat >bin/apt-get <<-'END'
		#!/bin/sh
		sleep 0.3
		printf '#!/bin/sh\nexec cc "$@"\n' >"${0%/*}/late-cc"
		chmod +x "${0%/*}/late-cc"
	END
	printf '#!/bin/sh\necho 0\n' >bin/id
	chmod +x bin/*
	run_ env -u MAKEFLAGS PATH="$PWD/bin:$PATH" make -s -j 8 -C "$TOP" \
		BUILD="$PWD/b" CC=late-cc "$PWD/b/lib/base/err.o" \
		"$PWD/b/lib/base/io.o" deps
	status_is 0
	[ -s b/lib/base/err.o ]
	[ -s b/lib/base/io.o ]
}
