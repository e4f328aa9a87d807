//! The board: two sets of discs and the side to move.

use emtee::research::ProbCut;
use emtee::{Game, Levels, Moves, Outcome, Side, Tuning, mix};

use super::moves::{Move, flips, mobility};
use super::{evaluate, order, probcut};

/// The points per disc in evaluations and scores: evaluations are whole discs.
///
/// The error of an evaluation is several discs, so a finer grain only resolves noise and costs MTD-f passes. Measured at
/// depth 8 on [`tuning_set`](super::tuning_set): with 8, 4, 2 and 1 points per disc an iteration took 13.1, 9.3, 6.4 and
/// 4.5 passes, and the search 1112, 1079, 1050 and 991 thousand nodes. In 600 games at depth 4 eighths of a disc scored
/// 50.6 % against whole discs, which is within the noise.
pub const POINTS_PER_DISC: i32 = 1;

/// A position: 24 bytes, cheap to copy.
///
/// ```
/// use emtee::{Budget, Game, player};
/// use emtee_games::othello::Board;
///
/// let board: Board = "---------------------------OX------XO--------------------------- X".parse()?;
/// assert_eq!(board, Board::default());
/// let found = player(Board::evaluate).build()?.think(&board, Budget::depth(6))?;
/// println!("{board:#}{} is best", found.best_move.unwrap());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    own: u64,
    opponent: u64,
    turn: Side,
}

impl Default for Board {
    /// The start position. Black, the first side, is to move.
    fn default() -> Board {
        Board { own: 0x0000_0008_1000_0000, opponent: 0x0000_0010_0800_0000, turn: Side::First }
    }
}

impl Board {
    /// A position from the squares of Black (the first side) and White; `None` if they share one.
    pub const fn new(black: u64, white: u64, turn: Side) -> Option<Board> {
        if black & white != 0 {
            return None;
        }
        Some(match turn {
            Side::First => Board { own: black, opponent: white, turn },
            Side::Second => Board { own: white, opponent: black, turn },
        })
    }

    /// The discs of the side to move, a1 in bit 0.
    #[inline(always)]
    pub const fn own(&self) -> u64 {
        self.own
    }

    /// The discs of the other side.
    #[inline(always)]
    pub const fn opponent(&self) -> u64 {
        self.opponent
    }

    /// Black's discs.
    pub const fn black(&self) -> u64 {
        if matches!(self.turn, Side::First) { self.own } else { self.opponent }
    }

    /// White's discs.
    pub const fn white(&self) -> u64 {
        if matches!(self.turn, Side::First) { self.opponent } else { self.own }
    }

    /// The number of empty squares.
    #[inline(always)]
    pub const fn empties(&self) -> u32 {
        (self.own | self.opponent).count_zeros()
    }

    /// The squares on which the side to move can place a disc.
    #[inline(always)]
    pub fn placements(&self) -> u64 {
        mobility(self.own, self.opponent)
    }

    /// Whether neither side can place a disc.
    pub fn is_over(&self) -> bool {
        self.placements() == 0 && mobility(self.opponent, self.own) == 0
    }

    /// Whether the square of a move is occupied.
    pub fn is_taken(&self, m: Move) -> bool {
        m != Move::PASS && (self.own | self.opponent) >> m.index() & 1 == 1
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, m: Move) -> bool {
        match m {
            Move::PASS => self.placements() == 0 && !self.is_over(),
            m => self.placements() >> m.index() & 1 == 1,
        }
    }

    /// The position after a move; `None` if it is not legal.
    pub fn play_legal(&self, m: Move) -> Option<Board> {
        self.is_legal(m).then(|| self.play(m))
    }

    /// The score of a finished game: the discs of the side to move minus those of the other, empty squares counted for the
    /// winner.
    #[inline]
    pub const fn final_score(&self) -> i32 {
        final_score(self.own, self.opponent)
    }

    /// The position under one of the eight symmetries of the board. Bit 0 of `symmetry` mirrors left and right, bit 1 top and
    /// bottom, bit 2 swaps rows and columns.
    pub fn transformed(&self, symmetry: u8) -> Board {
        let turn = |discs: u64| {
            Squares(discs).fold(0, |turned, square| {
                let (mut row, mut column) = (square / 8, square % 8);
                column ^= 7 * (symmetry & 1);
                row ^= 7 * (symmetry >> 1 & 1);
                if symmetry >> 2 & 1 == 1 {
                    (row, column) = (column, row);
                }
                turned | 1u64 << (8 * row + column)
            })
        };
        Board { own: turn(self.own), opponent: turn(self.opponent), turn: self.turn }
    }
}

/// The disc difference, with the empty squares counted for the winner.
#[inline(always)]
pub(crate) const fn final_score(own: u64, opponent: u64) -> i32 {
    let (mine, theirs) = (own.count_ones() as i32, opponent.count_ones() as i32);
    let difference = mine - theirs;
    difference + difference.signum() * (64 - mine - theirs)
}

impl Game for Board {
    type Move = Move;

    const TUNING: Tuning = Tuning {
        store_leaves: true,
        ordering: order::ORDERING,
        // Measured: ETC saves a sixth of the nodes and 14 % of the time to depth 11.
        etc: Some(1),
        selective: probcut::SELECTIVE,
        // The book lists the Elo differences of the levels in its chapter on matches.
        levels: Levels([
            (34, 205),
            (50, 170),
            (90, 130),
            (160, 100),
            (280, 82),
            (650, 56),
            (1_600, 39),
            (4_300, 23),
            (13_000, 11),
            (60_000, 0),
        ]),
        ..Tuning::DEFAULT
    };

    #[inline(always)]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline(always)]
    fn moves(&self, moves: &mut Moves<Move>) {
        order::list(self, moves);
    }

    #[inline(always)]
    fn play(&self, m: Move) -> Board {
        if m.is_pass() {
            return Board { own: self.opponent, opponent: self.own, turn: !self.turn };
        }
        let flipped = flips(self.own, self.opponent, m.index());
        Board { own: self.opponent ^ flipped, opponent: self.own | flipped | 1 << m.index(), turn: !self.turn }
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome::Points(self.final_score() * POINTS_PER_DISC))
    }

    #[inline]
    fn probcut(&self, depth: u8) -> Option<ProbCut> {
        probcut::probcut(self, depth)
    }

    /// The pattern evaluation, [`evaluate::evaluate`].
    #[inline(always)]
    fn evaluate(&self) -> i32 {
        evaluate::evaluate(self)
    }

    /// Hashed from scratch: two multiplications are cheaper than updating an incremental key for up to twenty flipped discs.
    #[inline(always)]
    fn key(&self) -> u64 {
        let turn = self.turn.index() as u64;
        mix(self.own ^ mix(self.opponent.rotate_left(17) ^ turn.wrapping_neg()))
    }

    #[inline(always)]
    fn code(&self, m: Move, _: usize) -> u16 {
        u16::from(m.index())
    }
}

/// The squares of a set, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Squares(pub u64);

impl Iterator for Squares {
    type Item = u8;
    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let square = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// The number of sequences of `depth` moves, with bulk counting at the last ply. A pass is a move. A sequence that ends earlier
/// because the game is over counts as one.
///
/// ```
/// use emtee_games::othello::{Board, perft};
/// assert_eq!(perft(&Board::default(), 6), 8200);
/// ```
pub fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 { 1 } else { perft_below(board.own, board.opponent, depth) }
}

fn perft_below(own: u64, opponent: u64, depth: u32) -> u64 {
    let placements = mobility(own, opponent);
    if placements == 0 {
        // A finished game counts as one, and so does a pass at the last ply.
        if depth == 1 || mobility(opponent, own) == 0 {
            return 1;
        }
        return perft_below(opponent, own, depth - 1);
    }
    if depth == 1 {
        return u64::from(placements.count_ones());
    }
    Squares(placements)
        .map(|square| {
            let flipped = flips(own, opponent, square);
            perft_below(opponent ^ flipped, own | flipped | 1 << square, depth - 1)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perft_of_the_start() {
        let counts = [1, 4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288, 24_571_284];
        for (depth, count) in counts.into_iter().enumerate() {
            assert_eq!(perft(&Board::default(), depth as u32), count, "depth {depth}");
        }
    }

    /// The same count with the moves of [`Game`].
    #[test]
    fn game_moves_agree_with_perft() {
        fn count(board: &Board, depth: u32) -> u64 {
            let moves = emtee::legal_moves(board);
            if depth == 0 || moves.is_empty() {
                return 1;
            }
            moves.into_iter().map(|m| count(&board.play(m), depth - 1)).sum()
        }
        assert_eq!(count(&Board::default(), 7), 55_092);
        // Near the end: passes and finished games in the tree.
        let late: Board = "OOOOOOOOOOOXXXXXOOXOXXXXOOOXOOXXOOXOXXOXOOOXOXXXOOOOXXXX-OOOO--X X".parse().unwrap();
        for depth in 0..8 {
            assert_eq!(count(&late, depth), perft(&late, depth));
        }
    }

    #[test]
    fn empties_go_to_the_winner() {
        assert_eq!(final_score(0b111, 0b1000), 62);
        assert_eq!(final_score(0b1, 0b1110), -62);
        assert_eq!(final_score(0b11, 0b1100), 0);
        assert_eq!(Board::new(1, 1, Side::First), None);
        let wiped_out = Board::new(0b111, 0, Side::Second).unwrap();
        assert_eq!(wiped_out.outcome(), Some(Outcome::Points(-64 * POINTS_PER_DISC)));
    }

    #[test]
    fn symmetries_keep_discs_and_moves() {
        let start = Board::default();
        for (board, different) in [(start, 2), (start.play(Move::to(44).unwrap()), 8)] {
            let mut seen = std::collections::HashSet::new();
            for symmetry in 0..8 {
                let turned = board.transformed(symmetry);
                assert_eq!(turned.placements().count_ones(), board.placements().count_ones());
                seen.insert(turned);
            }
            assert_eq!(seen.len(), different);
        }
    }
}
