#!/usr/bin/env bash
# A run as an array of Slurm, whose report the last lines say how to put together:
#
#   go build -o verify ./cmd/verify
#   sbatch --array=1-16 docs/jobs/slurm.sh -tier standard
#
# Arguments go to the run; the array says how many parts there are. A part that was stopped, or put back into the queue,
# goes on where it was. Reports go to $OUT/part-*, OUT being sledge-report unless set.
#SBATCH --job-name=sledge
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --output=%x-%A-%a.log
set -euo pipefail
out=${OUT:-sledge-report}
mkdir -p "$out"
status=0
./verify run -shard auto -resume -j "${SLURM_CPUS_PER_TASK:-1}" -out "$out/part-$SLURM_ARRAY_TASK_ID" "$@" || status=$?
# An unexpected verdict (1) is a result, which the merged report shows; anything else has to be looked at.
[ "$status" -le 1 ] || exit "$status"
echo "part $SLURM_ARRAY_TASK_ID is ready; when all are: ./verify merge -out $out $out/part-*"
