//! A complete game, and a player that plays against itself to a draw: `cargo run -p emtee --example tictactoe`

use std::fmt;

use emtee::{Budget, Game, Moves, Outcome, Side, player};

#[derive(Clone, Default, Hash)]
struct Board {
    squares: [Option<Side>; 9],
    turn: Side,
}

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Game for Board {
    type Move = usize;

    fn turn(&self) -> Side {
        self.turn
    }
    fn moves(&self, moves: &mut Moves<usize>) {
        (0..9).filter(|&square| self.squares[square].is_none()).for_each(|square| moves.push(square));
    }
    fn play(&self, square: usize) -> Board {
        let mut next = Board { turn: !self.turn, ..self.clone() };
        next.squares[square] = Some(self.turn);
        next
    }
    /// The side to move has lost if the other side has three in a row. A full board has no moves, which is a draw by default.
    fn outcome(&self) -> Option<Outcome> {
        let three = |line: &[usize; 3]| line.iter().all(|&square| self.squares[square] == Some(!self.turn));
        LINES.iter().any(three).then_some(Outcome::Lost)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let symbol = |square: &Option<Side>| square.map_or('.', |side| if side == Side::First { 'X' } else { 'O' });
        self.squares.chunks(3).try_for_each(|row| writeln!(f, "{}", row.iter().map(symbol).collect::<String>()))
    }
}

fn main() -> Result<(), emtee::Error> {
    let mut ai = player(Board::evaluate).build()?;
    let mut board = Board::default();
    loop {
        let found = ai.think(&board, Budget::ms(500))?;
        let value = found.value.unwrap_or_default();
        let Some(square) = found.best_move else {
            println!("the result: {}", if value.is_proven() { "a win" } else { "a draw" });
            return Ok(());
        };
        board = board.play(square);
        println!("square {}, worth {value}\n{board}", square + 1);
    }
}
