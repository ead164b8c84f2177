#!/usr/bin/env bash
# Runs docs/jobs/slurm.sh on a Slurm of one machine that this script starts for the purpose, and compares the merged
# report with that of a single run: their digests must be the same. Needs slurmctld, slurmd and munged (Debian's
# slurm-wlm and munge) and the rights to start them; arguments go to the run.
#
#   tools/slurm.sh [ID-PATTERN...]
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
pids=()
cleanup() {
  for p in "${pids[@]}"; do kill "$p" 2>/dev/null || true; done
  wait # the daemons write down their state as they end
  rm -rf "$dir"
}
trap cleanup EXIT
host=$(hostname -s)
cores=$(nproc)
export SLURM_CONF=$dir/slurm.conf

# An authentication daemon of our own, with a key of its own.
mkdir -p "$dir/munge" "$dir/state" "$dir/spool"
chmod 0700 "$dir/munge"
dd if=/dev/urandom of="$dir/munge/key" bs=128 count=1 status=none
chmod 0400 "$dir/munge/key"
chmod 0755 "$dir"
munged --force --key-file="$dir/munge/key" --socket="$dir/munge.socket" --pid-file="$dir/munge/pid" \
  --log-file="$dir/munge/log" --seed-file="$dir/munge/seed"
pids+=("$(cat "$dir/munge/pid")")

cat > "$SLURM_CONF" <<CONF
ClusterName=trial
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CryptoType=crypto/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cores State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
slurmctld -D > "$dir/slurmctld.log" 2>&1 & pids+=($!)
slurmd -D -N "$host" > "$dir/slurmd.log" 2>&1 & pids+=($!)
for _ in $(seq 60); do
  sinfo -h -o %T 2>/dev/null | grep -q idle && break
  sleep 0.5
done
sinfo -h -o %T | grep -q idle || { echo "Slurm did not start:"; tail -5 "$dir"/slurm*.log; exit 1; }

work=$dir/work
mkdir "$work"
cp docs/jobs/slurm.sh "$work"
go build -o "$work/verify" ./cmd/verify
(
  cd "$work"
  job=$(sbatch --parsable --array=1-5 slurm.sh "$@")
  while squeue -h -j "$job" 2>/dev/null | grep -q .; do sleep 1; done
  for k in 1 2 3 4 5; do
    grep -q 'is ready' "sledge-$job-$k.log" || { echo "part $k:"; tail -5 "sledge-$job-$k.log"; exit 1; }
  done
  ./verify merge -json merged.json -out merged sledge-report/part-* > merged.txt
  ./verify run -json single.json -out single "$@" > single.txt
  ./verify diff single merged
  cmp <(grep '"digest"' merged.json) <(grep '"digest"' single.json) || { echo "the digests differ"; exit 1; }
  echo "five parts on $cores slots of Slurm make the report of the single run: $(grep -c '"verdict"' merged.json) claims"
)
