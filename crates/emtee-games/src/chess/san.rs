//! Moves as text: UCI (`e2e4`) and SAN (`Nbd7`, `exd5`, `O-O`, `e8=Q+`).

use cozy_chess::{File, Piece, Rank, Square};
use emtee::{Game, legal_moves};

use super::board::Board;
use super::moves::Move;
use crate::error::{Error, ErrorKind, quoted};

impl Board {
    /// Reads a move in UCI or SAN. Castling can be written as the move of the king, as king takes rook, as `O-O` or
    /// `0-0`. `+`, `#`, `!`, `?` and `=` are optional.
    ///
    /// ```
    /// use emtee_games::chess::Board;
    /// let board = Board::default();
    /// assert_eq!(board.read_move("g1f3")?, board.read_move("Nf3")?);
    /// assert_eq!(board.read_move("Nf6").unwrap_err().to_string(), "'Nf6' is not a legal move here");
    /// # Ok::<(), emtee_games::Error>(())
    /// ```
    pub fn read_move(&self, text: &str) -> Result<Move, Error> {
        let legal = legal_moves(self);
        // In Chess960 castling and a normal king move can have the same text. The normal move has priority.
        if let Some(&m) = legal.iter().find(|m| m.to_string() == text && !m.is_castling()) {
            return Ok(m);
        }
        if let Some(&m) = legal.iter().find(|m| m.to_string() == text || format!("{m:#}") == text) {
            return Ok(m);
        }
        self.read_san(text, &legal)
    }

    fn read_san(&self, text: &str, legal: &[Move]) -> Result<Move, Error> {
        let plain = text.trim_end_matches(['+', '#', '!', '?']);
        let plain = plain.strip_suffix("e.p.").unwrap_or(plain).trim_end();
        let pattern = Pattern::read(plain).ok_or_else(|| {
            Error::new(
                ErrorKind::Syntax,
                format!("{} is not a move: write it like e2e4, Nf3, exd5, e8=Q or O-O", quoted(text)),
            )
        })?;
        let mut matching = legal.iter().copied().filter(|&m| pattern.matches(self, m));
        match (matching.next(), matching.next()) {
            (Some(m), None) => Ok(m),
            (Some(a), Some(b)) => {
                let (a, b) = (self.san(a), self.san(b));
                Err(Error::new(ErrorKind::AmbiguousMove, format!("{} may be {a} or {b}", quoted(text))))
            }
            (None, _) => Err(Error::new(ErrorKind::IllegalMove, format!("{} is not a legal move here", quoted(text)))),
        }
    }

    /// The move in SAN, with `+` or `#`. The move must be legal.
    ///
    /// ```
    /// use emtee_games::chess::Board;
    /// let board: Board = "r3k3/8/8/8/8/8/4K3/R6R w q - 0 1".parse()?;
    /// assert_eq!(board.san(board.read_move("a1a8")?), "Rxa8+");
    /// assert_eq!(board.san(board.read_move("a1d1")?), "Rad1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san(&self, m: Move) -> String {
        let after = self.play(m);
        let mut text = if m.is_castling() {
            String::from(if m.king_target().file() == File::G { "O-O" } else { "O-O-O" })
        } else {
            self.san_body(m)
        };
        if after.in_check() {
            text.push(if legal_moves(&after).is_empty() { '#' } else { '+' });
        }
        text
    }

    fn san_body(&self, m: Move) -> String {
        let piece = self.rules.piece_on(m.from()).unwrap_or(Piece::Pawn);
        let (from, to) = (m.from(), m.to());
        let takes = self.is_capture(m);
        let mut text = String::new();
        if piece == Piece::Pawn {
            if takes {
                text.push(char::from(from.file()));
            }
        } else {
            text.push(char::from(piece).to_ascii_uppercase());
            // Disambiguation: other pieces of the same kind that can move there. Use the file, the rank, or both.
            let rivals: Vec<Square> = legal_moves(self)
                .into_iter()
                .filter(|other| other.to() == to && other.from() != from && !other.is_castling())
                .map(Move::from)
                .filter(|&other| self.rules.pieces(piece).has(other))
                .collect();
            let same_file = rivals.iter().any(|other| other.file() == from.file());
            let same_rank = rivals.iter().any(|other| other.rank() == from.rank());
            if !rivals.is_empty() && (!same_file || same_rank) {
                text.push(char::from(from.file()));
            }
            if same_file {
                text.push(char::from(from.rank()));
            }
        }
        if takes {
            text.push('x');
        }
        text.push_str(&to.to_string());
        if let Some(promotion) = m.promotion() {
            text.push('=');
            text.push(char::from(promotion).to_ascii_uppercase());
        }
        text
    }
}

/// A move as written in SAN: the parts that the text gives.
pub(super) enum Pattern {
    Castling(File),
    Plain { piece: Piece, file: Option<File>, rank: Option<Rank>, to: Square, promotion: Option<Piece> },
}

impl Pattern {
    pub(super) fn read(text: &str) -> Option<Pattern> {
        match text {
            "O-O" | "0-0" | "o-o" => return Some(Pattern::Castling(File::G)),
            "O-O-O" | "0-0-0" | "o-o-o" => return Some(Pattern::Castling(File::C)),
            _ => {}
        }
        // An `x` must follow an origin and precede a file.
        let between_squares = |(at, _)| at > 0 && text[at + 1..].starts_with(|c| File::try_from(c).is_ok());
        if !text.match_indices('x').all(between_squares) {
            return None;
        }
        let letters: Vec<char> = text.chars().filter(|c| !matches!(c, 'x' | '=' | '-' | ':' | '(' | ')')).collect();
        let mut rest = letters.as_slice();
        let mut piece = Piece::Pawn;
        if let [first, more @ ..] = rest
            && let Some(named) = named_piece(*first)
        {
            (piece, rest) = (named, more);
        }
        let mut promotion = None;
        if let [more @ .., last] = rest
            && let Some(named) = named_piece(*last).or_else(|| Piece::try_from(*last).ok())
        {
            (promotion, rest) = (Some(named), more);
        }
        let [origin @ .., file, rank] = rest else { return None };
        let to = Square::new(File::try_from(*file).ok()?, Rank::try_from(*rank).ok()?);
        let (file, rank) = match origin {
            [] => (None, None),
            [one] => match File::try_from(*one) {
                Ok(file) => (Some(file), None),
                Err(_) => (None, Some(Rank::try_from(*one).ok()?)),
            },
            [file, rank] => (Some(File::try_from(*file).ok()?), Some(Rank::try_from(*rank).ok()?)),
            _ => return None,
        };
        Some(Pattern::Plain { piece, file, rank, to, promotion })
    }

    fn matches(&self, board: &Board, m: Move) -> bool {
        match *self {
            Pattern::Castling(file) => m.is_castling() && m.king_target().file() == file,
            Pattern::Plain { piece, file, rank, to, promotion } => {
                !m.is_castling()
                    && m.to() == to
                    && m.promotion() == promotion
                    && board.rules.pieces(piece).has(m.from())
                    && file.is_none_or(|file| m.from().file() == file)
                    && rank.is_none_or(|rank| m.from().rank() == rank)
            }
        }
    }
}

/// The piece of a capital letter.
fn named_piece(c: char) -> Option<Piece> {
    if c.is_ascii_uppercase() { Piece::try_from(c.to_ascii_lowercase()).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn board(fen: &str) -> Board {
        fen.parse().unwrap()
    }

    #[test]
    fn every_notation_of_a_move_is_read() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "Q2Q4/8/8/Q7/8/8/7k/2K5 w - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            let board = board(fen);
            for m in legal_moves(&board) {
                for text in [m.to_string(), format!("{m:#}"), board.san(m), format!("{}!?", board.san(m))] {
                    assert_eq!(board.read_move(&text), Ok(m), "{text} in {fen}");
                }
            }
        }
    }

    #[test]
    fn san_is_as_short_as_possible() {
        for (fen, uci, san) in [
            ("Q2Q4/8/8/Q7/8/8/7k/2K5 w - - 0 1", "a8a7", "Q8a7"),
            ("Q2Q4/8/8/Q7/8/8/7k/2K5 w - - 0 1", "a8d5", "Qa8d5"),
            ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8g8", "O-O"),
            ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8a8", "O-O-O"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q+"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5f6", "exf6"),
        ] {
            let board = board(fen);
            assert_eq!(board.san(board.read_move(uci).unwrap()), san);
        }
    }

    #[test]
    fn castling_is_printed_as_the_move_of_the_king() {
        let board = board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let m = board.read_move("O-O").unwrap();
        assert_eq!((m.to_string(), format!("{m:#}")), ("e1g1".into(), "e1h1".into()));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let start = Board::default();
        for (text, error) in [
            ("", "'' is not a move: write it like e2e4, Nf3, exd5, e8=Q or O-O"),
            ("e9", "'e9' is not a move: write it like e2e4, Nf3, exd5, e8=Q or O-O"),
            ("e4x", "'e4x' is not a move: write it like e2e4, Nf3, exd5, e8=Q or O-O"),
            ("xe4", "'xe4' is not a move: write it like e2e4, Nf3, exd5, e8=Q or O-O"),
            ("O-O", "'O-O' is not a legal move here"),
            ("e2e5", "'e2e5' is not a legal move here"),
        ] {
            assert_eq!(start.read_move(text).unwrap_err().to_string(), error);
        }
        let rooks = board("4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
        assert_eq!(rooks.read_move("Rd1").unwrap_err().to_string(), "'Rd1' may be Rad1 or Rhd1");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in ".{0,12}") {
            let _ = Board::default().read_move(&text);
        }

        #[test]
        fn no_text_like_a_move_panics(text in "[NBRQKO0a-h1-8x=+#-]{0,8}") {
            let _ = board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1").read_move(&text);
        }
    }
}
