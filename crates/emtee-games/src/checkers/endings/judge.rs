//! An evaluation that knows the endings.

use std::sync::Arc;

use emtee::{Bounds, Evaluate, OwnEvaluation, Value};

use super::super::board::{Board, Square, row_and_column, squares_of};
use super::{Database, Endings, Wdl};

/// What every ending that is won is worth, and more than any other evaluation.
const WON: i32 = 20_000;
const LOST: i32 = -WON;
/// Other evaluations, and differences among endings that are won, stay within this on either side.
const RANGE: i32 = 5_000;
/// What an evaluation is divided by where it is about a draw.
const HOPE: i32 = 4;

/// Judges positions as another evaluator does, and endings by a database.
///
/// A draw is worth 0, or [nearly so](Judge::with_chances). A database says that an ending is won but not how: inside that class positions are told apart by the
/// evaluation and by what brings the end nearer, so that a search makes headway. [`Evaluate::known`] lets it stop
/// wherever the class alone decides.
#[derive(Clone, Debug)]
pub struct Judge<E = OwnEvaluation> {
    /// What is asked. Without one, everything is judged as the other evaluator does.
    endings: Option<Arc<Endings>>,
    /// Where a larger one may come from.
    database: Option<Database>,
    others: E,
    /// The most that a draw can be worth.
    chances: i32,
}

impl Judge {
    /// By how much players tell draws apart ([`Judge::with_chances`]).
    ///
    /// Against level 7, at 1,000 nodes a move with 5 pieces, +329 =182 -89 of 600 games instead of +314 =197 -89 without.
    /// Against a player that takes draws for equal, 49.8 % ± 0.9 of 300 games: nothing is lost by it.
    pub const CHANCES: i32 = 40;

    /// Judges by this database, and everything else as the game does.
    pub fn new(database: impl Into<Database>) -> Judge {
        Judge::beside(Some(database), OwnEvaluation)
    }

    /// What a value found with such a judge says of who wins, if it lies where the database has put it: a draw only may be
    /// one, as an evaluation can be 0 too.
    pub fn class(value: Value) -> Option<Wdl> {
        match value.get() {
            WON.. => Some(Wdl::Win),
            0 => Some(Wdl::Draw),
            ..=LOST => Some(Wdl::Loss),
            _ => None,
        }
    }
}

impl<E> Judge<E> {
    /// Judges by a database, if there is one, and everything else so.
    pub fn beside(database: Option<impl Into<Database>>, others: E) -> Judge<E> {
        let database = database.map(Into::into);
        let endings = database.as_ref().map(|database| database.endings().clone());
        Judge { endings, database, others, chances: 0 }
    }

    /// Tells draws apart too, by up to so many points: who has the better of one may yet see the other side go wrong. With
    /// 0, the default, all draws are worth 0.
    pub fn with_chances(self, points: i32) -> Judge<E> {
        Judge { chances: points.clamp(0, RANGE), ..self }
    }

    #[inline(always)]
    fn wdl(&self, board: &Board) -> Option<Wdl> {
        self.endings.as_ref()?.value(board)
    }
}

impl<E: Evaluate<Board>> Evaluate<Board> for Judge<E> {
    fn evaluate(&self, board: &Board) -> i32 {
        let sign = match self.wdl(board) {
            None => return self.others.evaluate(board).clamp(-RANGE, RANGE),
            Some(Wdl::Draw) if self.chances == 0 => return 0,
            Some(Wdl::Draw) => return (self.others.evaluate(board) / HOPE).clamp(-self.chances, self.chances),
            Some(Wdl::Win) => 1,
            Some(Wdl::Loss) => -1,
        };
        // Kings alone are told apart by the chase: the evaluation would rather have them in the middle.
        let men = (board.pieces[0] | board.pieces[1]) & !board.kings;
        let score = if men == 0 { 0 } else { sign * self.others.evaluate(board) };
        sign * (WON + RANGE + (score + headway(board, sign > 0)).clamp(-RANGE, RANGE))
    }

    #[inline(always)]
    fn known(&self, board: &Board) -> Option<Bounds> {
        let (won, lost) = const { (Value::score(WON), Value::score(-WON)) };
        Some(match self.wdl(board)? {
            Wdl::Draw => Bounds { lower: Value::score(-self.chances)?, upper: Value::score(self.chances)? },
            Wdl::Win => Bounds { lower: won?, upper: Value::INFINITY },
            Wdl::Loss => Bounds { lower: Value::NEG_INFINITY, upper: lost? },
        })
    }

    fn renew(&mut self) -> bool {
        let by_now = self.database.as_ref().map(|database| database.endings().clone());
        let larger = by_now.as_ref().map(|endings| endings.pieces()) != self.endings.as_ref().map(|old| old.pieces());
        self.endings = by_now;
        // Both must be asked.
        self.others.renew() | larger
    }
}

/// How far the side that wins has come: few pieces, and its kings near those of the other side.
fn headway(board: &Board, mover_wins: bool) -> i32 {
    let (own, other) = board.own_and_other();
    let (winner, loser) = if mover_wins { (own, other) } else { (other, own) };
    let mut headway = -150 * loser.count_ones() as i32 - 30 * winner.count_ones() as i32;
    for king in squares_of(winner & board.kings) {
        for prey in squares_of(loser) {
            headway -= 3 * distance(king, prey);
        }
    }
    headway
}

/// In how many steps a king gets from one square to the other.
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
    fn a_larger_database_is_taken_up_between_searches() {
        let two = Arc::new(Endings::build(2));
        let database = Database::from(two);
        let mut judge = Grain { grain: 4, evaluator: Judge::new(database.clone()) };
        let board: Board = "B:WK32:BK18,K19".parse().unwrap();
        assert!(judge.known(&board).is_none() && judge.evaluate(&board) < WON);
        assert!(!judge.renew());
        database.complete(FOUR.clone());
        assert!(judge.known(&board).is_none() && judge.evaluate(&board) < WON, "a search may be under way");
        assert!(judge.renew() && !judge.renew());
        assert!(judge.known(&board).is_some() && judge.evaluate(&board) >= WON);
    }

    /// Draws lie between defeats and victories, and the better ones are those with the better evaluation.
    #[test]
    fn draws_are_told_apart_where_that_is_wanted() {
        let (plain, hopeful) = (Judge::new(FOUR.clone()), Judge::new(FOUR.clone()).with_chances(Judge::CHANCES));
        let mut worths = [0; 81];
        for which in 0..20_000 {
            let board = FOUR.sample(mix(which));
            let (value, known) = (hopeful.evaluate(&board), hopeful.known(&board).unwrap());
            assert!(known.contains(Value::score(value).unwrap()), "{board}: {value} {known}");
            if FOUR.value(&board) == Some(Wdl::Draw) {
                assert_eq!(plain.evaluate(&board), 0);
                assert_eq!(value, (board.evaluate() / HOPE).clamp(-40, 40));
                worths[(value + 40) as usize] += 1;
            } else {
                assert_eq!(value, plain.evaluate(&board));
            }
        }
        assert!(worths.iter().filter(|&&count| count > 0).count() > 20, "{worths:?}");
        for position in POSITIONS {
            laws::agree(&position.parse::<Board>().unwrap(), &hopeful, 4).unwrap();
        }
    }

    static FOUR: LazyLock<Arc<Endings>> = LazyLock::new(|| Arc::new(Endings::build(4)));

    /// Positions at the door of the database, and inside it.
    const POSITIONS: [&str; 6] = [
        "B:W18,K27:B10,K5,K6",
        "W:WK18,K22,28:BK1,K9,12",
        "B:W23,K30:B12,K16",
        "W:W21,K14:BK18,K22",
        "B:WK32:BK18,K19",
        "W:W30,31,32:B1,2,3",
    ];

    #[test]
    fn every_algorithm_finds_what_minimax_finds_without_being_told_what_is_known() {
        let judge = Judge::new(FOUR.clone());
        let mut nodes = [0; 2];
        for position in POSITIONS {
            let board: Board = position.parse().unwrap();
            laws::agree(&board, &judge, 5).unwrap();
            laws::agree(&board, &Grain { grain: 7, evaluator: judge.clone() }, 4).unwrap();
            let told = player(judge.clone()).build().unwrap().think(&board, Budget::depth(9)).unwrap();
            let mut untold = player(|board: &Board| judge.evaluate(board)).build().unwrap();
            let untold = untold.think(&board, Budget::depth(9)).unwrap();
            assert_eq!(told.value, untold.value, "{position}");
            nodes[0] += told.counts.nodes();
            nodes[1] += untold.counts.nodes();
        }
        assert!(nodes[0] < nodes[1], "{nodes:?}");
    }

    #[test]
    fn evaluations_lie_within_what_is_known() {
        let judge = Judge::new(FOUR.clone());
        for which in 0..20_000 {
            let board = FOUR.sample(mix(which));
            let (value, known) = (Value::score(judge.evaluate(&board)).unwrap(), judge.known(&board).unwrap());
            assert!(known.contains(value), "{board}: {value} {known}");
        }
        assert_eq!(judge.known(&Board::default()), None);
        assert_eq!(judge.evaluate(&Board::default()), Board::default().evaluate());
    }

    /// Plays on with Black by the database, and White by `reply`, until a side cannot move or 40 moves a side went by
    /// without a capture or a step of a man. The winner, if there is one.
    fn play(mut board: Board, mut reply: impl FnMut(&Board, &[Board]) -> Move) -> Option<Side> {
        let mut search = player(Judge::new(FOUR.clone())).hash("1MB").build().unwrap();
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

    /// Black wins what is won and holds what is drawn, whatever White does.
    fn check(mut reply: impl FnMut(&Board, &[Board]) -> Move) {
        for board in sample(Wdl::Win, 10) {
            assert_eq!(play(board, &mut reply), Some(Side::First), "{board}");
        }
        for board in sample(Wdl::Draw, 10) {
            assert_ne!(play(board, &mut reply), Some(Side::Second), "{board}");
        }
    }

    #[test]
    fn endings_are_played_out_against_the_best_defence() {
        let mut search = player(Judge::new(FOUR.clone())).hash("1MB").build().unwrap();
        check(|board, before| {
            search.set_game(before).unwrap();
            search.think(board, Budget::nodes(5_000)).unwrap().best_move.unwrap()
        });
    }

    #[test]
    fn endings_are_played_out_against_chance() {
        check(|board, before| {
            let moves = legal_moves(board);
            moves[(mix(before.len() as u64) % moves.len() as u64) as usize]
        });
    }
}
