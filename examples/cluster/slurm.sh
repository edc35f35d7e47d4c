#!/bin/bash
# A run on a Slurm allocation: sbatch examples/cluster/slurm.sh experiments/matrix.yaml out=runs/one
# The first node is the head and works too. GRAFT_STORE must be a folder that all nodes see.
#SBATCH --nodes=8 --ntasks-per-node=1 --exclusive
set -euo pipefail
: "${GRAFT_STORE:?give the folder of images that all nodes see}"
export GRAFT_CACHE=${SLURM_TMPDIR:-/tmp}/graft RAY_USAGE_STATS_ENABLED=0
port=6379
mapfile -t hosts < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
head=${hosts[0]}
srun --overlap --nodes=1 --ntasks=1 -w "$head" \
    ray start --head --port=$port --include-dashboard=false --block &
until ray status --address="$head:$port" > /dev/null 2>&1; do sleep 2; done
for host in "${hosts[@]:1}"; do
    srun --overlap --nodes=1 --ntasks=1 -w "$host" ray start --address="$head:$port" --block &
done
# Nodes that join later are used as well.
graft run "$@" executor=ray ray="$head:$port" concurrency=$((4 * SLURM_CPUS_ON_NODE * ${#hosts[@]}))
