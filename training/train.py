"""Trains a network on positions of `emtee datagen`, and writes it in the quantised format that emtee-games reads.

    python3 train.py chess chess.data … --out network.bin

For a file `chess.data`, the file `chess.data.own` must contain the game's own evaluations of the positions (`cargo xtask
measure evaluations` writes them). The network is trained on the difference to them. `--alone` needs no such file: then the
network is the whole evaluation.

Needs PyTorch and NumPy. Uses a GPU if there is one. The same data, seed and machine give the same network.

The network has one hidden layer and two perspectives, that of the side to move and that of the other side: own pieces
first, the board turned so that both move the same way. The accumulator of a perspective is the sum of one row of weights per
piece. Both accumulators pass through squared clipped ReLU (SCReLU) into one output. There is an output layer for each
bucket, chosen by the number of pieces.
"""

import argparse
import sys

import numpy as np
import torch
from torch import nn

RECORD = np.dtype([("board", "u1", 24), ("score", "<i2"), ("result", "i1"), ("flags", "u1"), ("game", "<u4")])
HEADER = 64
PROVED = 31_000

# Quantisation, as in network.rs of emtee-games: an activation of 1.0 is QA, an output weight of 1.0 is QB.
QA, QB = 255, 64
# Accumulators fit into 16 bits, and so does an activation times an output weight.
MAX_FEATURE_WEIGHT, MAX_OUTPUT_WEIGHT = 32_000 / 33 / QA, 127 / QB
BUCKETS = 8


def read(paths, game, with_own):
    """All positions of some files, the game's own evaluations of them, and whether each is held out.

    One game in twenty is held out, so that no game is in both sets.
    """
    parts = []
    for path in paths:
        with open(path, "rb") as file:
            header = file.read(HEADER)
            name = header[16:24].rstrip(b"\0").decode()
            if header[:15] != b"emtee positions" or name != game:
                sys.exit(f"{path} has no positions of {game}")
            records = np.frombuffer(file.read(), dtype=RECORD)
        own = np.fromfile(path + ".own", "<i2", len(records)) if with_own else np.zeros(len(records), np.int16)
        if len(own) < len(records):
            sys.exit(f"{path}.own has fewer positions than {path}")
        unproved = np.abs(records["score"].astype(np.int32)) < PROVED
        parts.append((records[unproved], own[unproved]))
    records, own = (np.concatenate(part) for part in zip(*parts))
    return records, own, records["game"] % 20 == 0


def pieces(squares, width):
    """For every bit that is set: its row, its position in the row, and the number of bits set before it in the row."""
    bits = np.unpackbits(squares.view("u1").reshape(len(squares), -1), axis=1, bitorder="little")[:, :width]
    row, square = np.nonzero(bits)
    first = np.concatenate([[0], np.cumsum(bits.sum(1, dtype=np.int64))[:-1]])
    return row, square, np.arange(len(row)) - first[row]


def chess(records):
    """The features of each position in the perspective of the side to move and in that of the other side; its bucket."""
    board = records["board"]
    row, square, rank = pieces(np.ascontiguousarray(board[:, :8]), 64)
    code = board[row, 8 + rank // 2] >> (rank % 2 * 4) & 15
    kind, black = code & 7, code >> 3
    kind = np.where(kind == 6, 3, np.where(kind == 7, 0, kind))
    count = np.bincount(row, minlength=len(records))
    lists = []
    turn = records["flags"] & 1
    for side in (turn, 1 - turn):
        own = side[row] == black
        flipped = np.where(side[row] == 1, square ^ 56, square)
        # Mirror the files if the own king is on e to h: a board and its mirror image have the same value.
        king = np.zeros(len(records), np.int64)
        is_king = own & (kind == 5)
        king[row[is_king]] = flipped[is_king]
        flipped = np.where(king[row] & 4 != 0, flipped ^ 7, flipped)
        feature = np.where(own, 0, 384) + kind * 64 + flipped
        features = np.full((len(records), 32), 768, np.int16)
        features[row, rank] = feature
        lists.append(features)
    return *lists, (count - 1) // 4, 768


def checkers(records):
    """The same for checkers: men and kings of both sides on 32 squares."""
    words = np.ascontiguousarray(records["board"][:, :12]).view("<u4")
    occupied = np.ascontiguousarray(words[:, 0] | words[:, 1])
    row, square, rank = pieces(occupied, 32)
    black = words[row, 0] >> square & 1
    king = words[row, 2] >> square & 1
    count = np.bincount(row, minlength=len(records))
    lists = []
    turn = records["flags"] & 1
    for side in (turn, 1 - turn):
        # Black moves down, from square 1 on; the perspective of White is turned.
        own = (side[row] == 0) == (black == 1)
        flipped = np.where(side[row] == 1, 31 - square, square)
        feature = np.where(own, 0, 64) + king * 32 + flipped
        features = np.full((len(records), 24), 128, np.int16)
        features[row, rank] = feature
        lists.append(features)
    return *lists, (count - 1) // 3, 128


GAMES = {"chess": chess, "checkers": checkers}


class Network(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.feature_weights = nn.EmbeddingBag(features + 1, hidden, mode="sum", padding_idx=features)
        self.feature_bias = nn.Parameter(torch.zeros(hidden))
        self.output_weights = nn.Parameter(torch.empty(BUCKETS, 2 * hidden))
        self.output_bias = nn.Parameter(torch.zeros(BUCKETS))
        with torch.no_grad():
            self.feature_weights.weight.uniform_(-0.05, 0.05)
            self.feature_weights.weight[features] = 0
            self.output_weights.uniform_(-0.1, 0.1)

    def forward(self, own, other, bucket):
        accumulators = [self.feature_weights(features) + self.feature_bias for features in (own, other)]
        activations = torch.cat(accumulators, 1).clamp(0, 1) ** 2
        return (activations * self.output_weights[bucket]).sum(1) + self.output_bias[bucket]

    def clip(self):
        """Clamps every weight to the range of its integer."""
        with torch.no_grad():
            self.feature_weights.weight.clamp_(-MAX_FEATURE_WEIGHT, MAX_FEATURE_WEIGHT)
            self.feature_bias.clamp_(-MAX_FEATURE_WEIGHT, MAX_FEATURE_WEIGHT)
            self.output_weights.clamp_(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT)

    def quantised(self, scale):
        """The network as bytes: feature weights, their bias and the output weights in 16 bits each, then in 32 bits the
        output biases and the points for an output of 1.0."""
        def integers(tensor, one, kind):
            return np.round(tensor.detach().cpu().numpy() * one).astype(kind).tobytes()
        features = integers(self.feature_weights.weight[:-1], QA, "<i2") + integers(self.feature_bias, QA, "<i2")
        output = integers(self.output_weights, QB, "<i2") + integers(self.output_bias, QA * QB, "<i4")
        return features + output + np.array([round(scale)], "<i4").tobytes()


def points_per_unit(score, result):
    """The points that multiply the odds of winning by e. Chosen so that the scores predict the results best."""
    best = min((loss(torch.sigmoid(score / k), result).item(), k) for k in range(40, 600, 5))
    return best[1]


def loss(predicted, labels):
    return ((predicted - labels) ** 2).mean()


def main():
    parser = argparse.ArgumentParser(description="Trains a network on positions of emtee datagen.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("data", nargs="+", help="files of emtee datagen")
    parser.add_argument("--out", required=True, help="the file for the network")
    parser.add_argument("--hidden", type=int, default=64, help="hidden neurons per perspective; emtee-games uses 64")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--batch", type=int, default=16_384)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--decay", type=float, default=0.0)
    parser.add_argument("--share", type=float, default=0.7, help="weight of the search score in a label; the rest is the weight of the result")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--alone", action="store_true", help="train the network as the whole evaluation, not as a correction of the game's own")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"

    records, base, held = read(args.data, args.game, not args.alone)
    own, other, bucket, features = GAMES[args.game](records)
    own, other = (torch.from_numpy(indices).to(device) for indices in (own, other))
    bucket = torch.from_numpy(bucket.astype(np.int64)).to(device)
    score = torch.from_numpy(records["score"].astype(np.float32)).to(device)
    result = torch.from_numpy((records["result"].astype(np.float32) + 1) / 2).to(device)
    held = torch.from_numpy(held).to(device)
    base = torch.from_numpy(base.astype(np.float32)).to(device)
    training, held_out = torch.nonzero(~held).squeeze(1), torch.nonzero(held).squeeze(1)
    scale = points_per_unit(score[training], result[training])
    labels = args.share * torch.sigmoid(score / scale) + (1 - args.share) * result
    print(f"{len(training):,} training positions, {len(held_out):,} held-out positions of other games; {scale} points per unit")
    with torch.no_grad():
        predicted = torch.sigmoid(score[held_out] / scale)
        print(f"the search's scores: {loss(predicted, result[held_out]):.5f} from the results, held out")
        predicted = torch.sigmoid(base[held_out] / scale)
        print(f"the game's own evaluation: {loss(predicted, labels[held_out]):.6f}, {loss(predicted, result[held_out]):.5f} from the results")

    network = Network(features, args.hidden).to(device)
    optimizer = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=args.decay)
    batches = max(1, len(training) // args.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=args.rate, total_steps=args.epochs * batches, pct_start=0.1, final_div_factor=100)

    def predict(index):
        return network(own[index].long(), other[index].long(), bucket[index]) + base[index] / scale

    for epoch in range(args.epochs):
        total = 0.0
        order = training[torch.randperm(len(training), device=device)]
        for index in order.split(args.batch)[:batches]:
            error = loss(torch.sigmoid(predict(index)), labels[index])
            optimizer.zero_grad(set_to_none=True)
            error.backward()
            optimizer.step()
            schedule.step()
            network.clip()
            total += error.detach()
        if epoch % 5 == 4 or epoch + 1 == args.epochs:
            with torch.no_grad():
                predicted = torch.cat([torch.sigmoid(predict(index)) for index in held_out.split(65_536)])
            print(f"epoch {epoch + 1}: {total.item() / batches:.6f} on training positions, {loss(predicted, labels[held_out]):.6f} held out, "
                  f"{loss(predicted, result[held_out]):.5f} from the results", flush=True)
    with open(args.out, "wb") as file:
        file.write(network.quantised(scale))


if __name__ == "__main__":
    main()
