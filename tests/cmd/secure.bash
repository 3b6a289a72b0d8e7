# ssh itself, for tests of what goes over it.
# shellcheck shell=bash

# secure: makes ./ssh, which PATH then finds.  It connects to an sshd that it
# starts itself, with keys made here.  This sshd needs no port: it communicates
# over its standard input and output.  ./served has a line for each login.  If
# HP_MARK is set, it is in the environment of a login as HP_RUN.
# SHLVL=1 makes bash believe that the login runs inside another shell.  So bash
# does not read the user's ~/.bashrc, which may print something or take long.
secure() {
	PATH=$PATH:/usr/sbin needs sshd
	[ "$(id -u)" -ne 0 ] || [ -d /run/sshd ] || skip 'no /run/sshd: run make deps'
	ssh-keygen -q -t ed25519 -N '' -f host
	ssh-keygen -q -t ed25519 -N '' -f user
	cat >sshd_config <<-EOF
		HostKey "$PWD/host"
		AuthorizedKeysFile "$PWD/user.pub"
		StrictModes no
		PidFile none
		LogLevel ERROR
		SetEnv PATH="$PWD:$HPBIN:/usr/bin:/bin" HP_RUN="${HP_MARK-}" SHLVL=1
	EOF
	printf '#!/bin/sh\necho >>"%s"\nexec %s -i -f "%s"\n' "$PWD/served" \
		"$(PATH=$PATH:/usr/sbin command -v sshd)" "$PWD/sshd_config" >serve
	chmod +x serve
	echo "* $(cut -d ' ' -f 1,2 host.pub)" >known
	cat >ssh_config <<-EOF
		IdentityFile "$PWD/user"
		IdentitiesOnly yes
		UserKnownHostsFile "$PWD/known"
		StrictHostKeyChecking yes
		BatchMode yes
		ProxyCommand '$PWD/serve'
	EOF
	printf '#!/bin/sh\nexec %s -F "%s" "$@"\n' "$(command -v ssh)" \
		"$PWD/ssh_config" >ssh
	chmod +x ssh
	PATH=$PWD:$PATH
}
