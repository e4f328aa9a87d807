"""Learns a network from positions that `emtee datagen` made, and writes it as the integers that emtee-games computes with.

    python3 train.py chess chess.data … --out network.bin

Beside every file of positions lies what the game's own evaluation says of them (`cargo xtask measure judgements`), as
`chess.data.own`: the network learns what is missing. With `--alone` nothing has to lie there.

Needs PyTorch and NumPy. A GPU is used where there is one. The same data, seed and machine give the same network.

The network sees the board twice, as the side to move sees it and as the other side does: own pieces first, the board
turned so that both move the same way. Each view is a sum of one row per piece; both sums, clipped and squared, meet in
one number. There are as many last layers as there are stages of a game, by how many pieces are left.
"""

import argparse
import sys

import numpy as np
import torch
from torch import nn

RECORD = np.dtype([("board", "u1", 24), ("score", "<i2"), ("result", "i1"), ("flags", "u1"), ("game", "<u4")])
HEADER = 64
PROVED = 31_000

# What the integers stand for: a sum of 1.0 is ONE, a last weight of 1.0 is LAST. As in emtee-games' network.rs.
ONE, LAST = 255, 64
# Sums stay within 16 bits, and so does a clipped sum times a last weight.
LARGEST_ROW, LARGEST_LAST = 32_000 / 33 / ONE, 127 / LAST
STAGES = 8


def read(paths, game, with_own):
    """All positions of some files, their own evaluations, and whether each is held back: games are, one in twenty, so that no game is in both."""
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
        open_ended = np.abs(records["score"].astype(np.int32)) < PROVED
        parts.append((records[open_ended], own[open_ended]))
    records, own = (np.concatenate(part) for part in zip(*parts))
    return records, own, records["game"] % 20 == 0


def pieces(squares, width):
    """The number of the row and the place in it of every bit that is set, and how many are set before it in its row."""
    bits = np.unpackbits(squares.view("u1").reshape(len(squares), -1), axis=1, bitorder="little")[:, :width]
    row, square = np.nonzero(bits)
    first = np.concatenate([[0], np.cumsum(bits.sum(1, dtype=np.int64))[:-1]])
    return row, square, np.arange(len(row)) - first[row]


def chess(records):
    """Two lists of features for each position, as the side to move and the other see it; the stage."""
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
        seen = np.where(side[row] == 1, square ^ 56, square)
        # The own king stands on the left half: a board and its mirror image are worth the same.
        king = np.zeros(len(records), np.int64)
        is_king = own & (kind == 5)
        king[row[is_king]] = seen[is_king]
        seen = np.where(king[row] & 4 != 0, seen ^ 7, seen)
        feature = np.where(own, 0, 384) + kind * 64 + seen
        features = np.full((len(records), 32), 768, np.int16)
        features[row, rank] = feature
        lists.append(features)
    return *lists, (count - 1) // 4, 768


def checkers(records):
    """The same for checkers: men and kings of either side on 32 squares."""
    words = np.ascontiguousarray(records["board"][:, :12]).view("<u4")
    occupied = np.ascontiguousarray(words[:, 0] | words[:, 1])
    row, square, rank = pieces(occupied, 32)
    black = words[row, 0] >> square & 1
    king = words[row, 2] >> square & 1
    count = np.bincount(row, minlength=len(records))
    lists = []
    turn = records["flags"] & 1
    for side in (turn, 1 - turn):
        # Black moves down, from square 1 on; White's view is turned.
        own = (side[row] == 0) == (black == 1)
        seen = np.where(side[row] == 1, 31 - square, square)
        feature = np.where(own, 0, 64) + king * 32 + seen
        features = np.full((len(records), 24), 128, np.int16)
        features[row, rank] = feature
        lists.append(features)
    return *lists, (count - 1) // 3, 128


GAMES = {"chess": chess, "checkers": checkers}


class Network(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.rows = nn.EmbeddingBag(features + 1, hidden, mode="sum", padding_idx=features)
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.last = nn.Parameter(torch.empty(STAGES, 2 * hidden))
        self.last_bias = nn.Parameter(torch.zeros(STAGES))
        with torch.no_grad():
            self.rows.weight.uniform_(-0.05, 0.05)
            self.rows.weight[features] = 0
            self.last.uniform_(-0.1, 0.1)

    def forward(self, own, other, stage):
        views = [self.rows(view) + self.bias for view in (own, other)]
        seen = torch.cat(views, 1).clamp(0, 1) ** 2
        return (seen * self.last[stage]).sum(1) + self.last_bias[stage]

    def clip(self):
        """Keeps every weight where its integer has room."""
        with torch.no_grad():
            self.rows.weight.clamp_(-LARGEST_ROW, LARGEST_ROW)
            self.bias.clamp_(-LARGEST_ROW, LARGEST_ROW)
            self.last.clamp_(-LARGEST_LAST, LARGEST_LAST)

    def rounded(self, scale):
        """The network as bytes: rows, their bias, the last layers (16 bits each); then, in 32 bits, their biases and how
        many points a sum of 1.0 is worth."""
        def integers(tensor, one, kind):
            return np.round(tensor.detach().cpu().numpy() * one).astype(kind).tobytes()
        rows = integers(self.rows.weight[:-1], ONE, "<i2") + integers(self.bias, ONE, "<i2")
        last = integers(self.last, LAST, "<i2") + integers(self.last_bias, ONE * LAST, "<i4")
        return rows + last + np.array([round(scale)], "<i4").tobytes()


def points_per_unit(score, result):
    """How many points make the odds of a game e times better: by which the scores predict the results best."""
    best = min((loss(torch.sigmoid(score / k), result).item(), k) for k in range(40, 600, 5))
    return best[1]


def loss(predicted, wanted):
    return ((predicted - wanted) ** 2).mean()


def main():
    parser = argparse.ArgumentParser(description="Learns a network from positions that emtee datagen made.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("data", nargs="+", help="files of emtee datagen")
    parser.add_argument("--out", required=True, help="the file for the network")
    parser.add_argument("--hidden", type=int, default=64, help="how wide each view is; emtee-games has 64")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--batch", type=int, default=16_384)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--decay", type=float, default=0.0)
    parser.add_argument("--share", type=float, default=0.7, help="how much the search's score counts; the result the rest")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--alone", action="store_true", help="the network is all there is: no evaluation that it adds to")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"

    records, base, held = read(args.data, args.game, not args.alone)
    own, other, stage, features = GAMES[args.game](records)
    own, other = (torch.from_numpy(view).to(device) for view in (own, other))
    stage = torch.from_numpy(stage.astype(np.int64)).to(device)
    score = torch.from_numpy(records["score"].astype(np.float32)).to(device)
    result = torch.from_numpy((records["result"].astype(np.float32) + 1) / 2).to(device)
    held = torch.from_numpy(held).to(device)
    base = torch.from_numpy(base.astype(np.float32)).to(device)
    taught, judged = torch.nonzero(~held).squeeze(1), torch.nonzero(held).squeeze(1)
    scale = points_per_unit(score[taught], result[taught])
    wanted = args.share * torch.sigmoid(score / scale) + (1 - args.share) * result
    print(f"{len(taught):,} positions to learn from, {len(judged):,} of other games held back; {scale} points per unit")
    with torch.no_grad():
        told = torch.sigmoid(score[judged] / scale)
        print(f"the search's scores: {loss(told, result[judged]):.5f} from the results, held back")
        told = torch.sigmoid(base[judged] / scale)
        print(f"the game's own evaluation: {loss(told, wanted[judged]):.6f}, {loss(told, result[judged]):.5f} from the results")

    network = Network(features, args.hidden).to(device)
    optimizer = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=args.decay)
    batches = max(1, len(taught) // args.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=args.rate, total_steps=args.epochs * batches, pct_start=0.1, final_div_factor=100)

    def ask(at):
        return network(own[at].long(), other[at].long(), stage[at]) + base[at] / scale

    for epoch in range(args.epochs):
        total = 0.0
        order = taught[torch.randperm(len(taught), device=device)]
        for at in order.split(args.batch)[:batches]:
            error = loss(torch.sigmoid(ask(at)), wanted[at])
            optimizer.zero_grad(set_to_none=True)
            error.backward()
            optimizer.step()
            schedule.step()
            network.clip()
            total += error.detach()
        if epoch % 5 == 4 or epoch + 1 == args.epochs:
            with torch.no_grad():
                told = torch.cat([torch.sigmoid(ask(at)) for at in judged.split(65_536)])
            print(f"epoch {epoch + 1}: {total.item() / batches:.6f} learned, {loss(told, wanted[judged]):.6f} held back, "
                  f"{loss(told, result[judged]):.5f} from the results", flush=True)
    with open(args.out, "wb") as file:
        file.write(network.rounded(scale))


if __name__ == "__main__":
    main()
