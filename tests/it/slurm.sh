#!/bin/sh
# A Slurm of four nodes on this machine, for tests: slurm.sh start FOLDER | stop FOLDER | restart FOLDER. Everything is below FOLDER, which
# must have a short path. Needs slurmctld, slurmd, the clients and munged, as Debian has them, and to be root.
what=$1 folder=$2
export SLURM_CONF=$folder/slurm.conf
stop() {
  for pid in "$folder"/*.pid; do
    [ -e "$pid" ] && kill "$(cat "$pid")" 2> /dev/null
  done
  for pid in "$folder"/*.pid; do
    while [ -e "$pid" ] && kill -0 "$(cat "$pid")" 2> /dev/null; do sleep 0.1; done
    rm -f "$pid"
  done
}
case $what in
stop) stop; exit ;;
restart)
  kill -s KILL "$(cat "$folder/ctld.pid")"
  sleep 1
  exec slurmctld ;;
esac
set -e
port=$3 host=$(uname -n | cut -d. -f1)
mkdir -p "$folder/state" "$folder/spool" "$folder/munge"
chmod 700 "$folder/munge"
head -c 1024 /dev/urandom > "$folder/munge/key"
chmod 600 "$folder/munge/key"
munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munged.pid" \
  --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
cat > "$SLURM_CONF" << END
ClusterName=paredown
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/ctld.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/ctld.log
SlurmdLogFile=$folder/%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
ReturnToService=2
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
KillWait=2
MinJobAge=10
SlurmdTimeout=10
InactiveLimit=0
NodeName=n[1-4] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 4))] CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=urgent Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=9
END
slurmctld -c
for node in n1 n2 n3 n4; do
  mkdir -p "$folder/spool/$node"
  slurmd -N "$node"
done
tries=0
until [ "$(sinfo --noheader --states=idle --format=%D --partition=all)" = 4 ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || exit 1
  sleep 0.2
done
