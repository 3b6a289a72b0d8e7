# make install, uninstall and dist: what a packager does.

load common

# In a BUILD of make's there can be no blanks, as there can in the way to it.  Programs
# that were not built before are not built now: `make check-san` builds none for MPI.
make_() {
	[ -x "$HPBIN/hpexchange-mpi" ] || set -- MPICC= "$@"
	[ -x "$HPBIN/hpsim" ] || set -- SIMGRID= "$@"
	env -u MAKEFLAGS make -s -C "$TOP" \
		BUILD="$(realpath --relative-to="$TOP" "$HPBIN/..")" "$@"
}

@test "install puts every program and page under DESTDIR and PREFIX" {
	make_ install DESTDIR="$PWD/dest" PREFIX=/opt/hp
	(cd "$HPBIN" && ls) >want
	(cd dest/opt/hp/bin && ls) >got
	same got want
	(cd "$TOP/man" && printf '%s\n' *.[157]) | sort >want
	for p in hpexchange-mpi hpsim; do
		[ -x "$HPBIN/$p" ] || sed -i "/^$p\./d" want
	done
	(cd dest/opt/hp/share/man && printf '%s\n' */*) | sed 's|.*/||' |
		sort >got
	same got want
	cmp "$TOP/examples/certificate.jq" \
		dest/opt/hp/share/hptools/certificate.jq
	(cd dest/opt/hp/share/hptools/lesson && PATH=$HPBIN:$PATH &&
		mkdir "$PWD/work" && cd "$PWD/work" && ../8-merge.sh) |
		grep -x '12 words, sorted: true'
	rm -r dest/opt/hp/share/hptools/lesson/work
	for dir in bash-completion/completions zsh/site-functions \
		fish/vendor_completions.d; do
		(cd "dest/opt/hp/share/$dir" && printf '%s\n' *) |
			sed 's/^_//; s/\.fish$//' | sort >got
		(cd "$HPBIN" && ls) >want
		same got want
	done
	diff -r "$TOP/examples" dest/opt/hp/share/doc/hptools/examples
	grep -rlF /usr/local dest/opt/hp/share/man && fail 'another prefix'
	grep -rlF /opt/hp/share/hptools/certificate.jq dest/opt/hp/share/man
	[ -z "$(find dest -type f -perm /022)" ]
	[ "$(dest/opt/hp/bin/hpgen --version)" = "$(hpgen --version)" ]
}

@test "a program that is not built is installed without its manual" {
	make_ install DESTDIR="$PWD/dest" MPICC= SIMGRID=
	run_ find dest -name '*hpexchange-mpi*' -o -name '*hpsim*'
	stdout_is ''
	[ -f dest/usr/local/share/man/man1/hpexchange.1 ]
}

@test "prefix has the same meaning as PREFIX" {
	make_ install DESTDIR="$PWD/dest" prefix=/usr
	[ -x dest/usr/bin/hpsort ]
	[ -f dest/usr/share/man/man1/hpsort.1 ]
	make_ uninstall DESTDIR="$PWD/dest" prefix=/usr
	run_ find dest -type f
	stdout_is ""
	[ ! -e dest/usr/share/doc/hptools ]
	[ ! -e dest/usr/share/hptools ]
}

@test "uninstall removes what install made, and no other file" {
	mkdir -p 'de st/usr/local/bin'
	echo mine >'de st/usr/local/bin/mine'
	make_ install DESTDIR="$PWD/de st"
	make_ uninstall DESTDIR="$PWD/de st"
	run_ find 'de st' -type f
	stdout_is 'de st/usr/local/bin/mine'
	make_ uninstall DESTDIR="$PWD/none"
}

@test "install replaces files, and each directory has a variable" {
	for _ in 1 2; do
		make_ install DESTDIR="$PWD/dest" BINDIR=/b MANDIR=/m DATADIR=/d \
			DOCDIR=/doc BASHDIR=/bash ZSHDIR=/zsh FISHDIR=/fish
	done
	[ -x dest/b/hpsort ]
	[ -f dest/d/certificate.jq ]
	[ -f dest/m/man1/hpsort.1 ]
	[ -f dest/doc/README ]
	[ -f dest/bash/hpsort ]
	[ -f dest/zsh/_hpsort ]
	[ -f dest/fish/hpsort.fish ]
	[ ! -e dest/usr ]
}

@test "the installed examples run where they are, with the programs in PATH" {
	make_ install DESTDIR="$PWD/dest" PREFIX=/usr
	unset HPBIN
	PATH=$PWD/dest/usr/bin:$PATH
	cp -R dest/usr/share/doc/hptools/examples examples
	jq '.vectors |= map(select(.id == "fpm-2-10" or .id == "taylor-321"))' \
		examples/vectors.json >two
	mv two examples/vectors.json
	cp -R examples before
	run_ examples/vectors.sh
	status_is 0
	stdout_has '2 of 2 ok'
	HP_DEMO_RECORDS=20000 HP_DEMO_TREE=$PWD run_ examples/one-machine/demo.sh
	status_is 0
	mkdir drawn
	run_ examples/pictures/draw.sh drawn
	status_is 0
	[ -s drawn/flow.svg ]
	run_ examples/papers/lr.sh
	status_is 0
	stderr_is ''
	run_ env HP_SIM_NODES=2 examples/papers/sim.sh
	status_is 0
	[ ! -x dest/usr/bin/hpsim ] || stdout_has '| A.3: '
	run_ examples/papers/gpc.sh
	status_is 2
	stderr_is 'gpc: no lab, which only the sources of hptools have (tests/lab)'
	run_ examples/matmul/run.sh
	status_is 2
	stderr_has 'compile matmul.c, and set MATMUL'
	diff -r examples before
}
