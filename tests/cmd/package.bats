# make dist and make deb: a tarball that stands alone, and packages for Debian.

load common

setup() {
	[ -z "${HP_SANITIZER-}" ] || skip 'builds programs of its own'
	begin
	mkdir bin
	printf '#!/bin/sh\necho "git was called: $*" >&2\nexit 1\n' >bin/git
	chmod +x bin/git
	version=$(sed -n 's/^VERSION = //p' "$TOP/Makefile")
	name=hptools-$version
}

# make_ WORD...: as from a shell, not from the make that runs the tests.
make_() {
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make --no-print-directory "$@"
}

# unpacked: makes the tarball and unpacks it.
unpacked() {
	make_ -s -C "$TOP" dist DISTDIR="$PWD"
	tar -xzf "$name.tar.gz"
}

@test "dist: the tarballs of one commit have the same bytes, also without git" {
	unpacked
	sum=$(sha256sum "$name.tar.gz")
	rm "$name.tar.gz"
	make_ -s -C "$TOP" dist DISTDIR="$PWD"
	[ "$sum" = "$(sha256sum "$name.tar.gz")" ]
	rm "$name.tar.gz"
	mkdir "$name/build"
	touch "$name/build/ready"
	PATH=$PWD/bin:$PATH make_ -s -C "$name" dist DISTDIR="$PWD"
	[ "$sum" = "$(sha256sum "$name.tar.gz")" ]
}

@test "dist: all files have the time SOURCE_DATE_EPOCH" {
	SOURCE_DATE_EPOCH=86400 unpacked
	[ "$(find "$name" -type f -printf '%Ts\n' | sort -u)" = 86400 ]
	[ "$(ls)" = "bin
$name
$name.tar.gz" ]
}

# packages: the tarball makes the packages, once for all tests, in the directory
# deb/.  Their sources remain there, as they are built.
packages() {
	with deb
	cd "$BATS_FILE_TMPDIR" || return
	[ ! -e made ] || return 0
	unpacked
	# lintian leaves files in TMPDIR.  Nothing of a debugger is looked at.
	mkdir tmp bin
	cp "$BATS_TEST_TMPDIR/bin/git" bin
	PATH=$PWD/bin:$PATH TMPDIR=$PWD/tmp KEEP=1 DEB_CFLAGS_STRIP=-g \
		DEB_BUILD_OPTIONS='noopt noautodbgsym' \
		make_ -s -C "$name" deb BUILD="$PWD" >log 2>&1 || fail "$(cat log)"
	grep -F 'git was called' log deb/build.log && fail 'git'
	touch made
}

@test "dist: the tarball builds, tests and installs by itself, and sorts" {
	packages
	cd "deb/$name"
	# Built before, so that only this test is compiled.
	make_ -s LINK=shared CFLAGS=-O0 build/tests/unit/base/size_test >log 2>&1 ||
		fail "$(tail -n 20 log)"
	env -i PATH="$PATH" TMPDIR="$BATS_TEST_TMPDIR" tests/run unit/base/size_test \
		>log 2>&1 || fail "$(cat log)"
	cd "$BATS_TEST_TMPDIR"
	make_ -s -C "$BATS_FILE_TMPDIR/deb/$name" install LINK=shared SIMGRID= CFLAGS=-O0 \
		DESTDIR="$PWD/dest" >log 2>&1 || fail "$(tail -n 20 log)"
	PATH=$PWD/dest/usr/local/bin:/usr/bin:/bin
	hpgen -F gensort 1000 records
	hprun -F gensort -j 2 -o sorted records
	hpcheck -F gensort sorted >summary
	grep -F '"sorted":true' summary
}

@test "deb: the build needs the packages that make deps installs" {
	sed -n '/^to_build()/,/^}/s/.*header_of \([^ ]*\).*/\1/p' \
		"$TOP/tests/deps" | grep -vx libc6-dev | sort >want
	sed -n '/^Build-Depends:/,/^[A-Z]/s/^ *\(lib[^,]*\).*/\1/p' \
		"$TOP/tests/package/debian/control" | sort >got
	same got want
}

@test "deb: lintian accepts the packages, which contain all that is installed" {
	packages
	cp deb/*.deb "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR"
	for p in *.deb; do dpkg -x "$p" all; done
	(cd "$HPBIN" && ls) | grep -vx hpsim >want
	(cd all/usr/bin && ls) >got
	same got want
	(cd "$TOP/man" && ls | sed 's/$/.gz/') >want
	sed -i /hpsim/d want
	[ -x all/usr/bin/hpexchange-mpi ] || sed -i /hpexchange-mpi/d want
	(cd all/usr/share/man && ls man?) | grep -v ^man | grep . | sort >got
	same got want
	diff -r "$TOP/examples" all/usr/share/doc/hptools/examples
	[ -z "$(find all -name '*.[157].gz' -exec zgrep -l /usr/local {} +)" ]
	dpkg -f hptools_*.deb Depends >depends
	grep -F libmuparser depends
	dpkg -f hptools_*.deb Version >got
	grep -Fx "$version-1" got
	printf 'b\na\n' | all/usr/bin/hpsort >got
	[ "$(cat got)" = 'a
b' ]
	ldd all/usr/bin/hpsolve | grep -F libmuparser
}
