# ssh itself, for tests of what goes over it.
# shellcheck shell=bash

# secure: ssh, found by PATH, is for a server of our own, with keys of our own,
# which needs no port: it talks over the standard input and output of the client.
# ./served has a line for each login; HP_MARK, if set, marks what runs there.
# By the depth of its shells bash takes the login for one that is within another,
# and does not read the user's ~/.bashrc, which may print, and take its time.
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
