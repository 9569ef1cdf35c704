"""Train the beat network on rendered clips.

    train.py --clips CLIPS --out RUN --minutes 40 [--workers 2] [--start weights.pt]

Each worker is a process of one thread with its own share of the clips; gradients are averaged every step
(threads of one process wait for each other after every small convolution, which costs more than it gains on a
shared machine). The learning rate follows a cosine of the time that has passed, so a run ends when it was
told to; the weights kept are an exponential moving average. A run that was stopped goes on from RUN/state.pt.
"""

import argparse
import copy
import os
import time

import numpy as np
import torch
import torch.distributed as distributed
import torch.multiprocessing as multiprocessing
from torch.nn import functional

from data import batch, load_clips
from network import BeatNetwork

BATCH, LEARNING_RATE, AVERAGE = 8, 4e-3, 0.998
POSITIVE = torch.tensor([3.0, 6.0])[:, None]  # weight of a frame on a beat, on a downbeat


def loss_of(logits, wanted):
    losses = functional.binary_cross_entropy_with_logits(logits, wanted, reduction="none")
    return (losses * (1 + (POSITIVE - 1) * wanted)).mean()


def average_into(average, network, decay):
    with torch.no_grad():
        for kept, new in zip(average.state_dict().values(), network.state_dict().values()):
            if kept.dtype.is_floating_point:
                kept.lerp_(new, 1 - decay)


def validate(network, clips, beats):
    network.eval()
    rng, total = np.random.default_rng(0), []
    with torch.no_grad():
        for i in range(0, len(clips) - BATCH + 1, BATCH):
            logits, wanted = batch(rng, clips, beats, range(i, i + BATCH), False)
            total.append(
                functional.binary_cross_entropy_with_logits(network(logits), wanted, reduction="none").mean(
                    (0, 2)
                )
            )
    return torch.stack(total).mean(0).tolist()


def share_gradients(network, workers):
    flat = torch.cat([p.grad.flatten() for p in network.parameters()])
    distributed.all_reduce(flat)
    flat /= workers
    offset = 0
    for p in network.parameters():
        p.grad.copy_(flat[offset : offset + p.numel()].view_as(p))
        offset += p.numel()


def work(worker, options):
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    rng = np.random.default_rng((options.seed, worker))
    if options.workers > 1:
        link = f"file://{os.path.abspath(options.out)}/link"
        distributed.init_process_group("gloo", init_method=link, rank=worker, world_size=options.workers)
    clips, beats, _ = load_clips(options.clips, False, worker, options.workers)
    held_clips, held_beats, _ = load_clips(options.clips, True, limit=6)
    network = BeatNetwork()
    average = copy.deepcopy(network)
    optimizer = torch.optim.AdamW(network.parameters(), options.rate, weight_decay=1e-2)
    step, spent = 0, 0.0
    state = os.path.join(options.out, "state.pt")
    if os.path.exists(state):
        saved = torch.load(state)
        network.load_state_dict(saved["network"])
        average.load_state_dict(saved["average"])
        optimizer.load_state_dict(saved["optimizer"])
        step, spent = saved["step"], saved["spent"]
    elif options.start:
        network.load_state_dict(torch.load(options.start))
        average.load_state_dict(network.state_dict())
    if worker == 0:
        print(
            f"{len(clips)} clips a worker, {sum(p.numel() for p in network.parameters())} parameters",
            flush=True,
        )
    begun, losses, order = time.time() - spent, [], []
    while True:
        progress = torch.tensor([(time.time() - begun) / (60 * options.minutes)])
        if options.workers > 1:
            distributed.broadcast(progress, 0)  # all follow one clock
        if progress.item() >= 1:
            break
        warm = min(1.0, (step + 1) / 100)
        rate = options.rate * warm * (0.5 + 0.5 * np.cos(np.pi * progress.item()))
        for group in optimizer.param_groups:
            group["lr"] = rate
        if len(order) < BATCH:
            order = rng.permutation(len(clips))
        rows, order = order[:BATCH], order[BATCH:]
        network.train()
        inputs, wanted = batch(rng, clips, beats, rows, True)
        loss = loss_of(network(inputs), wanted)
        optimizer.zero_grad()
        loss.backward()
        if options.workers > 1:
            share_gradients(network, options.workers)
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        average_into(average, network, min(AVERAGE, (step + 1) / (step + 10)))
        losses.append(loss.item())
        step += 1
        if worker == 0 and step % options.report == 0:
            beat, downbeat = validate(average, held_clips, held_beats)
            spent = time.time() - begun
            text = f"step {step} {spent / 60:.1f} min train {np.mean(losses):.4f}"
            text += f" val beat {beat:.4f} downbeat {downbeat:.4f}"
            print(text, flush=True)
            losses = []
            kept = {
                "network": network.state_dict(),
                "average": average.state_dict(),
                "optimizer": optimizer.state_dict(),
            }
            torch.save({**kept, "step": step, "spent": spent}, state + ".part")
            os.replace(state + ".part", state)
            torch.save(average.state_dict(), os.path.join(options.out, "weights.pt"))
    if worker == 0:
        print("final", step, *validate(average, held_clips, held_beats), flush=True)
        torch.save(average.state_dict(), os.path.join(options.out, "weights.pt"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--start", help="weights to start from")
    parser.add_argument("--rate", type=float, default=LEARNING_RATE)
    parser.add_argument("--report", type=int, default=200, help="steps between validations")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    link = os.path.join(options.out, "link")
    if os.path.exists(link):
        os.remove(link)
    if options.workers == 1:
        work(0, options)
    else:
        multiprocessing.spawn(work, (options,), nprocs=options.workers)


if __name__ == "__main__":
    main()
