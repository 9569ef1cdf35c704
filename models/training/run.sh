#!/bin/sh
# From the POP909 archive to the shipped weights: run.sh ARCHIVE.tar.gz WORK OUT. Stop it and start it as you like.
set -eu
archive=$1 work=$2 out=$3
here=$(dirname "$(realpath "$0")")
export OMP_NUM_THREADS=1
python=/usr/bin/python3
mkdir -p "$work" "$out"
[ -d "$work/midi_pop909" ] || tar -xzf "$archive" -C "$work"
[ -f "$work/bank/notes.json" ] || $python "$here/soundbank.py" "$work/bank"
workers=$(nproc)
for part in $(seq 0 $((workers - 1))); do
  $python "$here/render.py" --bank "$work/bank" --archive "$work/midi_pop909" --out "$work/clips" \
    --chunks 0:300 --part "$part/$workers" &
done
wait
$python "$here/train.py" --clips "$work/clips" --out "$work/run" --minutes 60 --workers "$workers"
$python "$here/export.py" --weights "$work/run/weights.pt" --out "$out" --reference "$work/reference"
