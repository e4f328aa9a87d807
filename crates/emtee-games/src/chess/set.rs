//! The positions of the experiments.

use crate::paper::{PaperPosition, position};

/// Twenty consecutive positions of two world championship games, as in section 4.2 of the paper: ten of Fischer–Spassky
/// 1972, game 6, and ten of Karpov–Kasparov 1985, game 24.
pub fn paper_set() -> &'static [PaperPosition] {
    &PAPER_SET
}

/// Twenty other positions of the same games, to choose settings on: nothing is tuned on the [`paper_set`].
pub fn tuning_set() -> &'static [PaperPosition] {
    &TUNING_SET
}

#[rustfmt::skip]
const PAPER_SET: [PaperPosition; 20] = [
    position("2r3k1/r2nqpp1/p3b2p/2pp4/8/Q3PN2/PP2BPPP/2R2RK1 w - - 4 18", "Fischer–Spassky 1972, game 6, White's move 18"),
    position("2r3k1/r2nqpp1/p3b2p/2pp4/3N4/Q3P3/PP2BPPP/2R2RK1 b - - 5 18", "Fischer–Spassky 1972, game 6, Black's move 18"),
    position("2r2qk1/r2n1pp1/p3b2p/2pp4/3N4/Q3P3/PP2BPPP/2R2RK1 w - - 6 19", "Fischer–Spassky 1972, game 6, White's move 19"),
    position("2r2qk1/r2n1pp1/p3N2p/2pp4/8/Q3P3/PP2BPPP/2R2RK1 b - - 0 19", "Fischer–Spassky 1972, game 6, Black's move 19"),
    position("2r2qk1/r2n2p1/p3p2p/2pp4/8/Q3P3/PP2BPPP/2R2RK1 w - - 0 20", "Fischer–Spassky 1972, game 6, White's move 20"),
    position("2r2qk1/r2n2p1/p3p2p/2pp4/4P3/Q7/PP2BPPP/2R2RK1 b - - 0 20", "Fischer–Spassky 1972, game 6, Black's move 20"),
    position("2r2qk1/r2n2p1/p3p2p/2p5/3pP3/Q7/PP2BPPP/2R2RK1 w - - 0 21", "Fischer–Spassky 1972, game 6, White's move 21"),
    position("2r2qk1/r2n2p1/p3p2p/2p5/3pPP2/Q7/PP2B1PP/2R2RK1 b - - 0 21", "Fischer–Spassky 1972, game 6, Black's move 21"),
    position("2r3k1/r2nq1p1/p3p2p/2p5/3pPP2/Q7/PP2B1PP/2R2RK1 w - - 1 22", "Fischer–Spassky 1972, game 6, White's move 22"),
    position("2r3k1/r2nq1p1/p3p2p/2p1P3/3p1P2/Q7/PP2B1PP/2R2RK1 b - - 0 22", "Fischer–Spassky 1972, game 6, Black's move 22"),
    position("1r2r1k1/2qbbppp/ppnppn2/8/P3PP2/1NN1BB2/1PPQ2PP/R4R1K w - - 0 15", "Karpov–Kasparov 1985, game 24, White's move 15"),
    position("1r2r1k1/2qbbppp/ppnppn2/8/P3PPP1/1NN1BB2/1PPQ3P/R4R1K b - - 0 15", "Karpov–Kasparov 1985, game 24, Black's move 15"),
    position("1rb1r1k1/2q1bppp/ppnppn2/8/P3PPP1/1NN1BB2/1PPQ3P/R4R1K w - - 1 16", "Karpov–Kasparov 1985, game 24, White's move 16"),
    position("1rb1r1k1/2q1bppp/ppnppn2/6P1/P3PP2/1NN1BB2/1PPQ3P/R4R1K b - - 0 16", "Karpov–Kasparov 1985, game 24, Black's move 16"),
    position("1rb1r1k1/2qnbppp/ppnpp3/6P1/P3PP2/1NN1BB2/1PPQ3P/R4R1K w - - 1 17", "Karpov–Kasparov 1985, game 24, White's move 17"),
    position("1rb1r1k1/2qnbppp/ppnpp3/6P1/P3PP2/1NN1BB2/1PP2Q1P/R4R1K b - - 2 17", "Karpov–Kasparov 1985, game 24, Black's move 17"),
    position("1rb1rbk1/2qn1ppp/ppnpp3/6P1/P3PP2/1NN1BB2/1PP2Q1P/R4R1K w - - 3 18", "Karpov–Kasparov 1985, game 24, White's move 18"),
    position("1rb1rbk1/2qn1ppp/ppnpp3/6P1/P3PP2/1NN1B3/1PP2QBP/R4R1K b - - 4 18", "Karpov–Kasparov 1985, game 24, Black's move 18"),
    position("1r2rbk1/1bqn1ppp/ppnpp3/6P1/P3PP2/1NN1B3/1PP2QBP/R4R1K w - - 5 19", "Karpov–Kasparov 1985, game 24, White's move 19"),
    position("1r2rbk1/1bqn1ppp/ppnpp3/6P1/P3PP2/1NN1B3/1PP2QBP/3R1R1K b - - 6 19", "Karpov–Kasparov 1985, game 24, Black's move 19"),
];

#[rustfmt::skip]
const TUNING_SET: [PaperPosition; 20] = [
    position("rnr3k1/4qpp1/pp2b2p/1Bpp4/3P4/Q3PN2/PP3PPP/2R1K2R w K - 0 15", "Fischer–Spassky 1972, game 6, White's move 15"),
    position("rnr3k1/4qpp1/pp2b2p/1BPp4/8/Q3PN2/PP3PPP/2R1K2R b K - 0 15", "Fischer–Spassky 1972, game 6, Black's move 15"),
    position("rnr3k1/4qpp1/p3b2p/1Bpp4/8/Q3PN2/PP3PPP/2R1K2R w K - 0 16", "Fischer–Spassky 1972, game 6, White's move 16"),
    position("rnr3k1/4qpp1/p3b2p/1Bpp4/8/Q3PN2/PP3PPP/2R2RK1 b - - 1 16", "Fischer–Spassky 1972, game 6, Black's move 16"),
    position("1nr3k1/r3qpp1/p3b2p/1Bpp4/8/Q3PN2/PP3PPP/2R2RK1 w - - 2 17", "Fischer–Spassky 1972, game 6, White's move 17"),
    position("1nr3k1/r3qpp1/p3b2p/2pp4/8/Q3PN2/PP2BPPP/2R2RK1 b - - 3 17", "Fischer–Spassky 1972, game 6, Black's move 17"),
    position("1r4k1/r2nq1p1/p3p2p/2p1P3/3p1P2/Q7/PP2B1PP/2R2RK1 w - - 1 23", "Fischer–Spassky 1972, game 6, White's move 23"),
    position("1r4k1/r2nq1p1/p3p2p/2p1P3/2Bp1P2/Q7/PP4PP/2R2RK1 b - - 2 23", "Fischer–Spassky 1972, game 6, Black's move 23"),
    position("1r5k/r2nq1p1/p3p2p/2p1P3/2Bp1P2/Q7/PP4PP/2R2RK1 w - - 3 24", "Fischer–Spassky 1972, game 6, White's move 24"),
    position("1r5k/r2nq1p1/p3p2p/2p1P3/2Bp1P2/7Q/PP4PP/2R2RK1 b - - 4 24", "Fischer–Spassky 1972, game 6, Black's move 24"),
    position("1r2rbk1/1bqn1p1p/ppnpp1p1/6P1/P3PP2/1NN1B3/1PP2QBP/3R1R1K w - - 0 20", "Karpov–Kasparov 1985, game 24, White's move 20"),
    position("1r2rbk1/1bqn1p1p/ppnpp1p1/6P1/P3PP2/1NN5/1PP2QBP/2BR1R1K b - - 1 20", "Karpov–Kasparov 1985, game 24, Black's move 20"),
    position("2r1rbk1/1bqn1p1p/ppnpp1p1/6P1/P3PP2/1NN5/1PP2QBP/2BR1R1K w - - 2 21", "Karpov–Kasparov 1985, game 24, White's move 21"),
    position("2r1rbk1/1bqn1p1p/ppnpp1p1/6P1/P3PP2/1NNR4/1PP2QBP/2B2R1K b - - 3 21", "Karpov–Kasparov 1985, game 24, Black's move 21"),
    position("2r1rbk1/1bqn1p1p/pp1pp1p1/6P1/Pn2PP2/1NNR4/1PP2QBP/2B2R1K w - - 4 22", "Karpov–Kasparov 1985, game 24, White's move 22"),
    position("2r1rbk1/1bqn1p1p/pp1pp1p1/6P1/Pn2PP2/1NN4R/1PP2QBP/2B2R1K b - - 5 22", "Karpov–Kasparov 1985, game 24, Black's move 22"),
    position("2r1r1k1/1bqn1pbp/pp1pp1p1/6P1/Pn2PP2/1NN4R/1PP2QBP/2B2R1K w - - 6 23", "Karpov–Kasparov 1985, game 24, White's move 23"),
    position("2r1r1k1/1bqn1pbp/pp1pp1p1/6P1/Pn2PP2/1NN1B2R/1PP2QBP/5R1K b - - 7 23", "Karpov–Kasparov 1985, game 24, Black's move 23"),
    position("2r3k1/1bqnrpbp/pp1pp1p1/6P1/Pn2PP2/1NN1B2R/1PP2QBP/5R1K w - - 8 24", "Karpov–Kasparov 1985, game 24, White's move 24"),
    position("2r3k1/1bqnrpbp/pp1pp1p1/6P1/Pn2PP2/1NN1B2R/1PP2QBP/5RK1 b - - 9 24", "Karpov–Kasparov 1985, game 24, Black's move 24"),
];

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;
    use emtee::{Game, legal_moves};

    fn follows(pair: &[Board]) -> bool {
        // Compared by key: the texts omit an en-passant square if no capture is possible.
        legal_moves(&pair[0]).iter().any(|&m| pair[0].play(m).key() == pair[1].key())
    }

    #[test]
    fn positions_are_consecutive() {
        let boards =
            |set: &[PaperPosition]| set.iter().map(|position| position.text.parse().unwrap()).collect::<Vec<Board>>();
        let (paper, tuning) = (boards(paper_set()), boards(tuning_set()));
        for run in [&paper[..10], &paper[10..], &tuning[..6], &tuning[6..10], &tuning[10..]] {
            assert!(run.windows(2).all(follows));
        }
        assert_eq!((paper.len(), tuning.len()), (20, 20));
        assert!(paper.iter().all(|board| !tuning.contains(board)));
    }
}
