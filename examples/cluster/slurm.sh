#!/bin/bash
# A run on a Slurm allocation: sbatch examples/cluster/slurm.sh experiments/matrix.yaml out=runs/one
# The first node is the head and works too. GRAFT_STORE must be a folder that all nodes see.
#SBATCH --nodes=8 --ntasks-per-node=1 --exclusive --mem=0
set -euo pipefail
trap 'kill $(jobs -p)' EXIT
: "${GRAFT_STORE:?give the folder of images that all nodes see}"
export GRAFT_CACHE=${SLURM_TMPDIR:-/tmp}/graft-$SLURM_JOB_USER RAY_USAGE_STATS_ENABLED=0
# Else whoever reaches the nodes runs code as you. Ray asks for it from version 2.52 on.
export RAY_AUTH_MODE=token RAY_AUTH_TOKEN
RAY_AUTH_TOKEN=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
port=6379
mapfile -t hosts < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
head=${hosts[0]}
# Ray gives up when a node takes half a minute to start.
start() {
    for _ in 1 2 3; do
        srun --overlap --nodes=1 --ntasks=1 -w "$1" ray start --block "${@:2}" && break
    done
}
start "$head" --head --port=$port --include-dashboard=false &
until ray status --address="$head:$port" > /dev/null 2>&1; do
    kill -0 $! 2> /dev/null || { echo "no head on $head"; exit 1; }
    sleep 2
done
for host in "${hosts[@]:1}"; do
    start "$host" --address="$head:$port" &
done
# Nodes that join later are used as well.
graft run "$@" executor=ray ray="$head:$port" concurrency=$((4 * SLURM_CPUS_ON_NODE * ${#hosts[@]}))
