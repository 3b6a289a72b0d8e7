# Slurm on the nodes of the lab: munged and slurmctld on the hub, slurmd on each
# other node.  lab(1) of this directory reads this file for `lab slurm`.
# shellcheck shell=bash disable=SC2154 # LAB_DIR, network are those of the lab

# slurm_check: says which program of Slurm is missing, if one is.
slurm_check() {
	local command

	for command in slurmctld:slurmctld slurmd:slurmd srun:slurm-client \
		munged:munge; do
		command -v "${command%:*}" >/dev/null ||
			die "no ${command%:*}: install ${command#*:}"
	done
}

# slurm_nodes: the names of all nodes that run jobs.
slurm_nodes() {
	local dir

	for dir in "$LAB_DIR"/nodes/*; do
		[ "${dir##*/}" = hub ] || echo "${dir##*/}"
	done
}

# slurm_conf: prints slurm.conf.  Each node has two processors, the feature "lab",
# and a TmpFS of its own, in which PMIx makes directories of the same name.
# KillWait is long, so that what hprun leaves to Slurm shows on a slow machine, too.
slurm_conf() {
	local name names

	names=$(slurm_nodes | paste -sd ,)
	cat <<-EOC
		ClusterName=$LAB
		SlurmctldHost=hub($network.254)
		SlurmUser=root
		AuthType=auth/munge
		AuthInfo=socket=$LAB_DIR/slurm/munge.sock
		CredType=cred/munge
		StateSaveLocation=$LAB_DIR/slurm/state
		SlurmdSpoolDir=$LAB_DIR/slurm/spool.%n
		TmpFS=$LAB_DIR/slurm/tmp.%n
		SlurmctldPidFile=$LAB_DIR/slurm/slurmctld.pid
		SlurmdPidFile=$LAB_DIR/slurm/slurmd.%n.pid
		SlurmctldLogFile=$LAB_DIR/slurm/slurmctld.log
		SlurmdLogFile=$LAB_DIR/slurm/slurmd.%n.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		MpiDefault=none
		ReturnToService=2
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		SlurmdParameters=config_overrides
		SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1
		InactiveLimit=0
		KillWait=60
		SlurmdTimeout=300
		JobRequeue=1
	EOC
	for name in $(slurm_nodes); do
		echo "NodeName=$name NodeAddr=$(of "$name" address) CPUs=2" \
			"Feature=lab State=UNKNOWN"
	done
	echo "PartitionName=all Nodes=$names Default=YES State=UP"
}

# slurm_on NODE COMMAND...: starts a daemon there, which goes into the background.
slurm_on() {
	(inside "$@") </dev/null >>"$LAB_DIR/slurm/$1.out" 2>&1 3>&- ||
		die "$1: $2: $(tail -n 3 "$LAB_DIR/slurm/$1.out")"
}

# slurm_boot NODE: starts slurmd.
slurm_boot() {
	mkdir -p "$LAB_DIR/slurm/spool.$1" "$LAB_DIR/slurm/tmp.$1"
	slurm_on "$1" "$(command -v slurmd)" -N "$1"
}

# slurm_ready: all nodes are idle.
slurm_ready() {
	[ "$(within hub sinfo -h -t idle -o %D)" = "$(slurm_nodes | wc -l)" ]
}

slurm_up() {
	local dir=$LAB_DIR/slurm name tries

	slurm_check
	[ -d "$LAB_DIR/nodes" ] || die 'not up'
	[ ! -e "$dir" ] || die 'Slurm is up already'
	mkdir -p "$dir/state"
	export SLURM_CONF=$dir/slurm.conf
	slurm_conf >"$SLURM_CONF"
	(umask 077 && head -c 1024 /dev/urandom >"$dir/munge.key")
	slurm_on hub "$(command -v munged)" --force \
		--key-file="$dir/munge.key" --socket="$dir/munge.sock" \
		--pid-file="$dir/munge.pid" --log-file="$dir/munge.log" \
		--seed-file="$dir/munge.seed"
	slurm_on hub "$(command -v slurmctld)"
	for name in $(slurm_nodes); do slurm_boot "$name"; done
	for ((tries = 0; tries < 150; tries++)); do
		! slurm_ready 2>/dev/null || return 0
		sleep 0.2
	done
	die "Slurm: nodes are not idle: $(within hub sinfo -h -N -o '%N %T' 2>&1 |
		paste -sd ' ')"
}
