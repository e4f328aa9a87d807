//! The bitbase of king and pawn against king: one bit per position, 24 KB, computed by retrograde analysis at the first
//! probe.
//!
//! The side with the pawn is White, and the pawn is on one of the files a to d. Other positions are mirrored to these.

use std::sync::LazyLock;

use cozy_chess::{BitBoard, Color, Piece, Square, get_king_moves, get_pawn_attacks};

use super::board::Board;

/// Two sides to move, 64 squares for each king, four files of six ranks for the pawn.
const POSITIONS: usize = 2 * 64 * 64 * 24;

/// A position: side to move, the two kings and the pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    turn: Color,
    king: Square,
    bare: Square,
    pawn: Square,
}

impl Position {
    fn index(self) -> usize {
        let pawn = (self.pawn.rank() as usize - 1) * 4 + self.pawn.file() as usize;
        ((self.turn as usize * 64 + self.king as usize) * 64 + self.bare as usize) * 24 + pawn
    }

    fn from_index(index: usize) -> Position {
        let pawn = index % 24;
        Position {
            turn: Color::index(index / (24 * 64 * 64)),
            king: Square::index(index / (24 * 64) % 64),
            bare: Square::index(index / 24 % 64),
            pawn: Square::index(8 + pawn / 4 * 8 + pawn % 4),
        }
    }

    /// The pieces are on different squares, the kings are not adjacent, and the side not to move is not in check.
    fn is_legal(self) -> bool {
        let distinct = self.king != self.bare && self.king != self.pawn && self.bare != self.pawn;
        let checked = self.turn == Color::White && get_pawn_attacks(self.pawn, Color::White).has(self.bare);
        distinct && !get_king_moves(self.king).has(self.bare) && !checked
    }
}

/// The state of a position during retrograde analysis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Illegal,
    /// White wins.
    Won,
    /// Not yet known to be won. In the end: a draw.
    Unknown,
}

/// Whether White wins, one bit per position.
static WON: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let initial = |index| if Position::from_index(index).is_legal() { State::Unknown } else { State::Illegal };
    let mut states: Vec<State> = (0..POSITIONS).map(initial).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for index in 0..POSITIONS {
            if states[index] == State::Unknown && is_won(Position::from_index(index), &states) {
                states[index] = State::Won;
                changed = true;
            }
        }
    }
    let bits = |part: &[State]| part.iter().rev().fold(0, |bits, &state| bits << 1 | u64::from(state == State::Won));
    states.chunks(64).map(bits).collect()
});

/// Whether a position is won, according to the states of its successors.
fn is_won(p: Position, states: &[State]) -> bool {
    let won = |next: Position| states[next.index()] == State::Won;
    match p.turn {
        Color::White => {
            let king_wins = |king: Square| won(Position { turn: Color::Black, king, ..p });
            get_king_moves(p.king).into_iter().any(king_wins) || push_wins(p, states)
        }
        Color::Black => {
            let guarded = get_king_moves(p.king);
            let attacked = guarded | get_pawn_attacks(p.pawn, Color::White);
            let moves = get_king_moves(p.bare) & !attacked;
            // Black draws by capturing the pawn, or by stalemate.
            if moves.has(p.pawn) || moves.is_empty() && !attacked.has(p.bare) {
                return false;
            }
            moves.into_iter().all(|bare| won(Position { turn: Color::White, bare, ..p }))
        }
    }
}

/// Whether a pawn push wins: a promotion to a queen that cannot be captured, or a push to a won position.
fn push_wins(p: Position, states: &[State]) -> bool {
    let Some(next) = p.pawn.try_offset(0, 1) else { return false };
    let free = |square: Square| square != p.king && square != p.bare;
    if !free(next) {
        return false;
    }
    let Some(beyond) = next.try_offset(0, 1) else {
        return !get_king_moves(p.bare).has(next) || get_king_moves(p.king).has(next);
    };
    let won = |pawn: Square| states[Position { turn: Color::Black, pawn, ..p }.index()] == State::Won;
    let can_push_twice = p.pawn.rank() == cozy_chess::Rank::Second && free(beyond);
    won(next) || can_push_twice && won(beyond)
}

/// Whether the side with the pawn wins. The position must be king and pawn against king.
pub(super) fn is_win(board: &Board) -> bool {
    let rules = &board.rules;
    let pawns = rules.pieces(Piece::Pawn);
    let Some(pawn) = pawns.next_square() else { return false };
    let strong = if (pawns & rules.colors(Color::White)).is_empty() { Color::Black } else { Color::White };
    let mirrored = |square: Square| {
        let square = if strong == Color::White { square } else { square.flip_rank() };
        if pawn.file() as usize > 3 { square.flip_file() } else { square }
    };
    let turn = if rules.side_to_move() == strong { Color::White } else { Color::Black };
    let [king, bare, pawn] = [rules.king(strong), rules.king(!strong), pawn].map(mirrored);
    let index = Position { turn, king, bare, pawn }.index();
    WON[index / 64] >> (index % 64) & 1 == 1
}

/// Whether the position is king and pawn against king. `pieces` are all pieces but kings and pawns.
#[inline(always)]
pub(super) fn is_kpk(board: &Board, pieces: BitBoard) -> bool {
    let pawns = board.rules.pieces(Piece::Pawn);
    pieces.is_empty() && !pawns.is_empty() && pawns.0 & (pawns.0 - 1) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::BoardBuilder;
    use emtee::{Game, legal_moves};

    fn board(p: Position) -> Option<Board> {
        let mut builder = BoardBuilder::empty();
        builder.side_to_move = p.turn;
        for (square, piece) in [(p.king, (Piece::King, Color::White)), (p.pawn, (Piece::Pawn, Color::White))] {
            *builder.square_mut(square) = Some(piece);
        }
        *builder.square_mut(p.bare) = Some((Piece::King, Color::Black));
        builder.build().ok().map(|rules| Board { rules })
    }

    /// Computed again from the rules of the game alone. A promoted queen or rook wins if it cannot be captured at once
    /// and the move does not stalemate.
    #[test]
    fn the_bitbase_agrees_with_the_rules() {
        let boards: Vec<Option<Board>> =
            (0..POSITIONS).map(Position::from_index).map(|p| if p.is_legal() { board(p) } else { None }).collect();
        enum After {
            Won,
            Drawn,
            Position(usize),
        }
        let after = |child: &Board| {
            let rules = &child.rules;
            let (king, bare) = (rules.king(Color::White), rules.king(Color::Black));
            match rules.pieces(Piece::Pawn).next_square() {
                Some(pawn) => After::Position(Position { turn: rules.side_to_move(), king, bare, pawn }.index()),
                None => {
                    let heavy = rules.pieces(Piece::Queen) | rules.pieces(Piece::Rook);
                    let replies = legal_moves(child);
                    let stays = !heavy.is_empty() && replies.iter().all(|&m| !child.is_capture(m));
                    let not_stalemate = !replies.is_empty() || child.in_check();
                    if stays && not_stalemate { After::Won } else { After::Drawn }
                }
            }
        };
        let children: Vec<Vec<After>> = boards
            .iter()
            .map(|board| board.iter().flat_map(|b| legal_moves(b).into_iter().map(|m| after(&b.play(m)))).collect())
            .collect();
        let mut won = vec![false; POSITIONS];
        loop {
            let mut new = 0;
            for index in 0..POSITIONS {
                let Some(board) = boards[index].as_ref().filter(|_| !won[index]) else { continue };
                let is_won = |child: &After| match child {
                    After::Won => true,
                    After::Drawn => false,
                    After::Position(child) => won[*child],
                };
                let now = match board.rules.side_to_move() {
                    Color::White => children[index].iter().any(is_won),
                    Color::Black => !children[index].is_empty() && children[index].iter().all(is_won),
                };
                won[index] = now;
                new += u32::from(now);
            }
            if new == 0 {
                break;
            }
        }
        let mut counts = [[0; 2]; 2];
        for (index, board) in boards.iter().enumerate() {
            let Some(board) = board else { continue };
            assert_eq!(is_win(board), won[index], "{board}");
            assert_eq!(is_win(&board.mirrored()), won[index], "{board}, mirrored");
            counts[Position::from_index(index).turn as usize][usize::from(won[index])] += 1;
        }
        // Drawn and won, with White to move and with Black.
        assert_eq!(counts, [[19_184, 62_480], [35_210, 48_802]]);
    }

    #[test]
    fn textbook_positions() {
        for (fen, won) in [
            ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", false),
            ("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1", false),
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", false),
            ("k7/8/K7/P7/8/8/8/8 w - - 0 1", false),
            ("8/8/8/7p/8/7k/8/7K b - - 0 1", false),
            ("8/5k2/8/8/8/8/7P/7K w - - 0 1", false),
            ("8/8/k7/8/8/8/7P/7K w - - 0 1", true),
        ] {
            assert_eq!(is_win(&fen.parse().unwrap()), won, "{fen}");
        }
    }
}
