//! King and pawn against king, exactly: a bit for each position, 24 KB, worked out when it is first asked.
//!
//! The side with the pawn is White here, and its pawn stands on one of the files a to d: all others are mirrors of these.

use std::sync::LazyLock;

use cozy_chess::{BitBoard, Color, Piece, Square, get_king_moves, get_pawn_attacks};

use super::board::Board;

/// Two sides to move, 64 squares for each king, four files of six ranks for the pawn.
const POSITIONS: usize = 2 * 64 * 64 * 24;

/// A position: who is to move, where the kings stand, and the pawn.
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

    fn at(index: usize) -> Position {
        let pawn = index % 24;
        Position {
            turn: Color::index(index / (24 * 64 * 64)),
            king: Square::index(index / (24 * 64) % 64),
            bare: Square::index(index / 24 % 64),
            pawn: Square::index(8 + pawn / 4 * 8 + pawn % 4),
        }
    }

    /// No two on one square, the kings apart, and nobody in check who is not to move.
    fn is_legal(self) -> bool {
        let apart = self.king != self.bare && self.king != self.pawn && self.bare != self.pawn;
        let checked = self.turn == Color::White && get_pawn_attacks(self.pawn, Color::White).has(self.bare);
        apart && !get_king_moves(self.king).has(self.bare) && !checked
    }
}

/// What is known of a position while they are worked out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// There is no such position.
    Illegal,
    /// The pawn wins.
    Won,
    /// Not won so far; a draw, if it stays so.
    Open,
}

/// Whether the pawn wins, a bit for each position.
static WON: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut known: Vec<Known> =
        (0..POSITIONS).map(|index| if Position::at(index).is_legal() { Known::Open } else { Known::Illegal }).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for index in 0..POSITIONS {
            if known[index] == Known::Open && is_won(Position::at(index), &known) {
                known[index] = Known::Won;
                changed = true;
            }
        }
    }
    let bits = |part: &[Known]| part.iter().rev().fold(0, |bits, &known| bits << 1 | u64::from(known == Known::Won));
    known.chunks(64).map(bits).collect()
});

/// Whether a position is won by what is known of those after it.
fn is_won(p: Position, known: &[Known]) -> bool {
    let after = |next: Position| known[next.index()];
    match p.turn {
        Color::White => {
            let stepped = |king: Square| after(Position { turn: Color::Black, king, ..p }) == Known::Won;
            get_king_moves(p.king).into_iter().any(stepped) || pawn_wins(p, known)
        }
        Color::Black => {
            let guarded = get_king_moves(p.king);
            let attacked = guarded | get_pawn_attacks(p.pawn, Color::White);
            let moves = get_king_moves(p.bare) & !attacked;
            // Whoever takes the pawn, or has no move and is not in check, draws.
            if moves.has(p.pawn) || moves.is_empty() && !attacked.has(p.bare) {
                return false;
            }
            moves.into_iter().all(|bare| after(Position { turn: Color::White, bare, ..p }) == Known::Won)
        }
    }
}

/// Whether a step of the pawn wins: to where it becomes a queen and stays one, or to a position that is won.
fn pawn_wins(p: Position, known: &[Known]) -> bool {
    let Some(next) = p.pawn.try_offset(0, 1) else { return false };
    let free = |square: Square| square != p.king && square != p.bare;
    if !free(next) {
        return false;
    }
    let Some(beyond) = next.try_offset(0, 1) else {
        return !get_king_moves(p.bare).has(next) || get_king_moves(p.king).has(next);
    };
    let won = |pawn: Square| known[Position { turn: Color::Black, pawn, ..p }.index()] == Known::Won;
    let twice = p.pawn.rank() == cozy_chess::Rank::Second && free(beyond);
    won(next) || twice && won(beyond)
}

/// Whether the pawn wins in a position of king and pawn against king.
pub(super) fn pawn_has_won(board: &Board) -> bool {
    let rules = &board.rules;
    let pawns = rules.pieces(Piece::Pawn);
    let Some(pawn) = pawns.next_square() else { return false };
    let strong = if (pawns & rules.colors(Color::White)).is_empty() { Color::Black } else { Color::White };
    let turned = |square: Square| {
        let square = if strong == Color::White { square } else { square.flip_rank() };
        if pawn.file() as usize > 3 { square.flip_file() } else { square }
    };
    let turn = if rules.side_to_move() == strong { Color::White } else { Color::Black };
    let [king, bare, pawn] = [rules.king(strong), rules.king(!strong), pawn].map(turned);
    let index = Position { turn, king, bare, pawn }.index();
    WON[index / 64] >> (index % 64) & 1 == 1
}

/// Whether nothing but two kings and one pawn is on the board.
#[inline(always)]
pub(super) fn is_king_and_pawn(board: &Board, officers: BitBoard) -> bool {
    let pawns = board.rules.pieces(Piece::Pawn);
    officers.is_empty() && !pawns.is_empty() && pawns.0 & (pawns.0 - 1) == 0
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

    /// Worked out once more with the rules of the game alone: whatever is drawn stays drawn, and a queen or a rook that is
    /// not taken at once and leaves a move, or mates, has won.
    #[test]
    fn it_is_what_the_rules_say() {
        let boards: Vec<Option<Board>> =
            (0..POSITIONS).map(Position::at).map(|p| if p.is_legal() { board(p) } else { None }).collect();
        enum After {
            Won,
            Drawn,
            At(usize),
        }
        let after = |child: &Board| {
            let rules = &child.rules;
            let (king, bare) = (rules.king(Color::White), rules.king(Color::Black));
            match rules.pieces(Piece::Pawn).next_square() {
                Some(pawn) => After::At(Position { turn: rules.side_to_move(), king, bare, pawn }.index()),
                None => {
                    let heavy = rules.pieces(Piece::Queen) | rules.pieces(Piece::Rook);
                    let replies = legal_moves(child);
                    let stays = !heavy.is_empty() && replies.iter().all(|&m| !child.is_capture(m));
                    let goes_on = !replies.is_empty() || child.in_check();
                    if stays && goes_on { After::Won } else { After::Drawn }
                }
            }
        };
        let children: Vec<Vec<After>> = boards
            .iter()
            .map(|at| at.iter().flat_map(|at| legal_moves(at).into_iter().map(|m| after(&at.play(m)))).collect())
            .collect();
        let mut won = vec![false; POSITIONS];
        loop {
            let mut more = 0;
            for index in 0..POSITIONS {
                let Some(at) = boards[index].as_ref().filter(|_| !won[index]) else { continue };
                let is_won = |child: &After| match child {
                    After::Won => true,
                    After::Drawn => false,
                    After::At(child) => won[*child],
                };
                let now = match at.rules.side_to_move() {
                    Color::White => children[index].iter().any(is_won),
                    Color::Black => !children[index].is_empty() && children[index].iter().all(is_won),
                };
                won[index] = now;
                more += u32::from(now);
            }
            if more == 0 {
                break;
            }
        }
        let mut counts = [[0; 2]; 2];
        for (index, at) in boards.iter().enumerate() {
            let Some(at) = at else { continue };
            assert_eq!(pawn_has_won(at), won[index], "{at}");
            assert_eq!(pawn_has_won(&at.mirrored()), won[index], "{at}, by Black");
            counts[Position::at(index).turn as usize][usize::from(won[index])] += 1;
        }
        // Drawn and won, with White to move and with Black.
        assert_eq!(counts, [[19_184, 62_480], [35_210, 48_802]]);
    }

    #[test]
    fn what_everybody_knows() {
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
            assert_eq!(pawn_has_won(&fen.parse().unwrap()), won, "{fen}");
        }
    }
}
