//! An evaluator that probes an endings database.

use std::sync::Arc;

use emtee::{Bounds, Evaluate, OwnEvaluation, Value};

use super::super::board::{Board, Square, row_and_column, squares_of};
use super::{Database, Endings, Wdl};

/// The lowest value of a won ending, higher than all other evaluations.
const WON: i32 = 20_000;
const LOST: i32 = -WON;
/// Other evaluations, and the differences among won endings, are clamped to ± this.
const RANGE: i32 = 5_000;
/// The evaluation of a drawn ending is divided by this.
const DRAW_DIVISOR: i32 = 4;

/// Evaluates endings by a database, and all other positions by another evaluator.
///
/// A draw has the value 0, or [close to it](EndingsEvaluator::with_chances). The database says that an ending is won,
/// but not how. Won endings are therefore ordered by the other evaluator and by a progress term, so that a search makes
/// progress. With [`Evaluate::known`] a search cuts off where win, draw or loss alone decides.
#[derive(Clone, Debug)]
pub struct EndingsEvaluator<E = OwnEvaluation> {
    /// The database to probe. `None`: the other evaluator evaluates all positions.
    endings: Option<Arc<Endings>>,
    /// The source of a larger database.
    database: Option<Database>,
    evaluator: E,
    /// The highest absolute value of a draw.
    chances: i32,
}

impl EndingsEvaluator {
    /// The range of draw values in play ([`EndingsEvaluator::with_chances`]).
    ///
    /// Against level 7, at 1,000 nodes per move with 5 pieces: +329 =182 -89 of 600 games, and +314 =197 -89 without.
    /// Against a player for which all draws are equal: 49.8 % ± 0.9 of 300 games, so nothing is lost.
    pub const CHANCES: i32 = 40;

    /// Evaluates endings by this database, and other positions by the game's own evaluation.
    pub fn new(database: impl Into<Database>) -> EndingsEvaluator {
        EndingsEvaluator::with_evaluator(Some(database), OwnEvaluation)
    }

    /// Win, draw or loss according to a value that was found with this evaluator, if the value is in the range of the
    /// database. A value of 0 is not necessarily a draw, because other evaluations can be 0 too.
    pub fn wdl(value: Value) -> Option<Wdl> {
        match value.get() {
            WON.. => Some(Wdl::Win),
            0 => Some(Wdl::Draw),
            ..=LOST => Some(Wdl::Loss),
            _ => None,
        }
    }
}

impl<E> EndingsEvaluator<E> {
    /// Evaluates endings by a database, if there is one, and other positions by `evaluator`.
    pub fn with_evaluator(database: Option<impl Into<Database>>, evaluator: E) -> EndingsEvaluator<E> {
        let database = database.map(Into::into);
        let endings = database.as_ref().map(|database| database.endings().clone());
        EndingsEvaluator { endings, database, evaluator, chances: 0 }
    }

    /// Evaluates draws by the other evaluator, within ± `points`: the opponent can still make a mistake in a better
    /// draw. With 0, the default, all draws have the value 0.
    pub fn with_chances(self, points: i32) -> EndingsEvaluator<E> {
        EndingsEvaluator { chances: points.clamp(0, RANGE), ..self }
    }

    #[inline(always)]
    fn probe(&self, board: &Board) -> Option<Wdl> {
        self.endings.as_ref()?.value(board)
    }
}

impl<E: Evaluate<Board>> Evaluate<Board> for EndingsEvaluator<E> {
    fn evaluate(&self, board: &Board) -> i32 {
        let sign = match self.probe(board) {
            None => return self.evaluator.evaluate(board).clamp(-RANGE, RANGE),
            Some(Wdl::Draw) if self.chances == 0 => return 0,
            Some(Wdl::Draw) => {
                return (self.evaluator.evaluate(board) / DRAW_DIVISOR).clamp(-self.chances, self.chances);
            }
            Some(Wdl::Win) => 1,
            Some(Wdl::Loss) => -1,
        };
        // Kings only: use the progress term alone, because the evaluation prefers kings in the centre to kings near
        // their targets.
        let men = (board.pieces[0] | board.pieces[1]) & !board.kings;
        let score = if men == 0 { 0 } else { sign * self.evaluator.evaluate(board) };
        sign * (WON + RANGE + (score + progress(board, sign > 0)).clamp(-RANGE, RANGE))
    }

    #[inline(always)]
    fn known(&self, board: &Board) -> Option<Bounds> {
        let (won, lost) = const { (Value::score(WON), Value::score(-WON)) };
        Some(match self.probe(board)? {
            Wdl::Draw => Bounds { lower: Value::score(-self.chances)?, upper: Value::score(self.chances)? },
            Wdl::Win => Bounds { lower: won?, upper: Value::INFINITY },
            Wdl::Loss => Bounds { lower: Value::NEG_INFINITY, upper: lost? },
        })
    }

    fn renew(&mut self) -> bool {
        let current = self.database.as_ref().map(|database| database.endings().clone());
        let is_larger =
            current.as_ref().map(|endings| endings.pieces()) != self.endings.as_ref().map(|old| old.pieces());
        self.endings = current;
        // `|` and not `||`: the other evaluator must be renewed in any case.
        self.evaluator.renew() | is_larger
    }
}

/// The progress of the winning side: few pieces, and its kings close to the pieces of the other side.
fn progress(board: &Board, mover_wins: bool) -> i32 {
    let (own, other) = board.own_and_other();
    let (winner, loser) = if mover_wins { (own, other) } else { (other, own) };
    let mut progress = -150 * loser.count_ones() as i32 - 30 * winner.count_ones() as i32;
    for king in squares_of(winner & board.kings) {
        for target in squares_of(loser) {
            progress -= 3 * distance(king, target);
        }
    }
    progress
}

/// The distance of two squares in steps of a king.
fn distance(a: Square, b: Square) -> i32 {
    let ((row, column), (other_row, other_column)) = (row_and_column(a.number()), row_and_column(b.number()));
    (row - other_row).abs().max((column - other_column).abs())
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use emtee::{Budget, Game, Grain, Side, laws, legal_moves, mix, player};

    use super::super::super::Move;
    use super::*;

    #[test]
    fn a_larger_database_is_used_from_the_next_search_on() {
        let two = Arc::new(Endings::build(2));
        let database = Database::from(two);
        let mut evaluator = Grain { grain: 4, evaluator: EndingsEvaluator::new(database.clone()) };
        let board: Board = "B:WK32:BK18,K19".parse().unwrap();
        assert!(evaluator.known(&board).is_none() && evaluator.evaluate(&board) < WON);
        assert!(!evaluator.renew());
        database.complete(FOUR.clone());
        assert!(evaluator.known(&board).is_none() && evaluator.evaluate(&board) < WON, "a search can be running");
        assert!(evaluator.renew() && !evaluator.renew());
        assert!(evaluator.known(&board).is_some() && evaluator.evaluate(&board) >= WON);
    }

    /// Draws are between losses and wins, ordered by the other evaluator.
    #[test]
    fn draws_have_different_values_with_chances() {
        let (plain, with_chances) = (
            EndingsEvaluator::new(FOUR.clone()),
            EndingsEvaluator::new(FOUR.clone()).with_chances(EndingsEvaluator::CHANCES),
        );
        let mut counts = [0; 81];
        for which in 0..20_000 {
            let board = FOUR.sample(mix(which));
            let (value, known) = (with_chances.evaluate(&board), with_chances.known(&board).unwrap());
            assert!(known.contains(Value::score(value).unwrap()), "{board}: {value} {known}");
            if FOUR.value(&board) == Some(Wdl::Draw) {
                assert_eq!(plain.evaluate(&board), 0);
                assert_eq!(value, (board.evaluate() / DRAW_DIVISOR).clamp(-40, 40));
                counts[(value + 40) as usize] += 1;
            } else {
                assert_eq!(value, plain.evaluate(&board));
            }
        }
        assert!(counts.iter().filter(|&&count| count > 0).count() > 20, "{counts:?}");
        for position in POSITIONS {
            laws::agree(&position.parse::<Board>().unwrap(), &with_chances, 4).unwrap();
        }
    }

    static FOUR: LazyLock<Arc<Endings>> = LazyLock::new(|| Arc::new(Endings::build(4)));

    /// Positions inside the database, and positions a capture away from it.
    const POSITIONS: [&str; 6] = [
        "B:W18,K27:B10,K5,K6",
        "W:WK18,K22,28:BK1,K9,12",
        "B:W23,K30:B12,K16",
        "W:W21,K14:BK18,K22",
        "B:WK32:BK18,K19",
        "W:W30,31,32:B1,2,3",
    ];

    #[test]
    fn every_algorithm_finds_the_minimax_value_with_and_without_known_bounds() {
        let evaluator = EndingsEvaluator::new(FOUR.clone());
        let mut nodes = [0; 2];
        for position in POSITIONS {
            let board: Board = position.parse().unwrap();
            laws::agree(&board, &evaluator, 5).unwrap();
            laws::agree(&board, &Grain { grain: 7, evaluator: evaluator.clone() }, 4).unwrap();
            let with_known = player(evaluator.clone()).build().unwrap().think(&board, Budget::depth(9)).unwrap();
            let mut without_known = player(|board: &Board| evaluator.evaluate(board)).build().unwrap();
            let without_known = without_known.think(&board, Budget::depth(9)).unwrap();
            assert_eq!(with_known.value, without_known.value, "{position}");
            nodes[0] += with_known.counts.nodes();
            nodes[1] += without_known.counts.nodes();
        }
        assert!(nodes[0] < nodes[1], "{nodes:?}");
    }

    #[test]
    fn evaluations_are_within_the_known_bounds() {
        let evaluator = EndingsEvaluator::new(FOUR.clone());
        for which in 0..20_000 {
            let board = FOUR.sample(mix(which));
            let (value, known) = (Value::score(evaluator.evaluate(&board)).unwrap(), evaluator.known(&board).unwrap());
            assert!(known.contains(value), "{board}: {value} {known}");
        }
        assert_eq!(evaluator.known(&Board::default()), None);
        assert_eq!(evaluator.evaluate(&Board::default()), Board::default().evaluate());
    }

    /// Plays Black with the database and White with `reply`, until a side cannot move, or for 40 moves of each side
    /// without a capture or a step of a man. Returns the winner, if there is one.
    fn play(mut board: Board, mut reply: impl FnMut(&Board, &[Board]) -> Move) -> Option<Side> {
        let mut search = player(EndingsEvaluator::new(FOUR.clone())).hash("1MB").build().unwrap();
        let (mut before, mut quiet) = (Vec::new(), 0);
        let value = FOUR.value(&board).unwrap();
        while quiet < 80 {
            if legal_moves(&board).is_empty() {
                return Some(!board.turn());
            }
            let m = if board.turn() == Side::First {
                assert_eq!(FOUR.value(&board).unwrap().max(value), FOUR.value(&board).unwrap(), "{board}");
                search.set_game(&before).unwrap();
                search.think(&board, Budget::nodes(20_000)).unwrap().best_move.unwrap()
            } else {
                reply(&board, &before)
            };
            let man = board.piece(m.from()).is_some_and(|piece| !piece.king);
            quiet = if man || m.is_jump() { 0 } else { quiet + 1 };
            before.push(board);
            board = board.play(m);
        }
        None
    }

    fn sample(value: Wdl, count: usize) -> impl Iterator<Item = Board> {
        let quiet = move |board: &Board| FOUR.value(board) == Some(value) && board.jumpers() == 0;
        (0..).map(|which| FOUR.sample(mix(which))).filter(quiet).take(count)
    }

    /// Black wins won endings and does not lose drawn ones.
    fn check(mut reply: impl FnMut(&Board, &[Board]) -> Move) {
        for board in sample(Wdl::Win, 10) {
            assert_eq!(play(board, &mut reply), Some(Side::First), "{board}");
        }
        for board in sample(Wdl::Draw, 10) {
            assert_ne!(play(board, &mut reply), Some(Side::Second), "{board}");
        }
    }

    #[test]
    fn endings_are_won_and_held_against_the_best_defence() {
        let mut search = player(EndingsEvaluator::new(FOUR.clone())).hash("1MB").build().unwrap();
        check(|board, before| {
            search.set_game(before).unwrap();
            search.think(board, Budget::nodes(5_000)).unwrap().best_move.unwrap()
        });
    }

    #[test]
    fn endings_are_won_and_held_against_random_moves() {
        check(|board, before| {
            let moves = legal_moves(board);
            moves[(mix(before.len() as u64) % moves.len() as u64) as usize]
        });
    }
}
