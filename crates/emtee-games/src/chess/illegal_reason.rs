//! Why a move that is written correctly is illegal.

use cozy_chess as cozy;
use cozy_chess::{BitBoard, File, Piece, Rank, Square};

use super::board::Board;
use super::san::Pattern;

impl Board {
    /// The reason why a move is illegal, as a message for players. `None` if the move is legal, or if the text is not a
    /// move.
    ///
    /// ```
    /// use emtee_games::chess::Board;
    /// let pinned: Board = "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1".parse()?;
    /// assert_eq!(pinned.illegal_reason("Nc3").unwrap(), "your king would be in check");
    /// assert_eq!(Board::default().illegal_reason("O-O").unwrap(), "you cannot castle: there is a piece in between");
    /// assert_eq!(Board::default().illegal_reason("hello"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn illegal_reason(&self, text: &str) -> Option<String> {
        if self.read_move(text).is_ok() {
            return None;
        }
        match Pattern::read(text.trim_end_matches(['+', '#', '!', '?']))? {
            Pattern::Castling(side) => Some(format!("you cannot castle: {}", self.why_no_castling(side))),
            Pattern::Plain { piece, file, rank, to, promotion } => {
                Some(self.why_no_move(piece, file.zip(rank).map(|(file, rank)| Square::new(file, rank)), to, promotion))
            }
        }
    }

    fn why_no_castling(&self, side: File) -> &'static str {
        let color = self.rules.side_to_move();
        let rights = self.rules.castle_rights(color);
        let king = self.rules.king(color);
        let Some(rook) = (if side == File::G { rights.short } else { rights.long }) else {
            return "the king or that rook has moved";
        };
        let rook = Square::new(rook, king.rank());
        if self.in_check() {
            "you are in check"
        } else if !(cozy::get_between_rays(king, rook) & self.rules.occupied()).is_empty() {
            "there is a piece in between"
        } else {
            "the king would step through check"
        }
    }

    fn why_no_move(&self, piece: Piece, from: Option<Square>, to: Square, promotion: Option<Piece>) -> String {
        let color = self.rules.side_to_move();
        let own = self.rules.colors(color);
        if let Some(from) = from {
            match self.rules.color_on(from) {
                None => return format!("there is no piece on {from}"),
                Some(owner) if owner != color => return format!("the piece on {from} is not yours"),
                Some(_) => {}
            }
        }
        let piece = from.and_then(|from| self.rules.piece_on(from)).unwrap_or(piece);
        if own.has(to) {
            return format!("your own piece stands on {to}");
        }
        let candidates = from.map_or(self.rules.colored_pieces(color, piece), Square::bitboard);
        let reaches = candidates.into_iter().any(|from| self.reach(piece, from).has(to));
        match (reaches, from) {
            (true, _)
                if piece == Piece::Pawn && to.rank() == Rank::Eighth.relative_to(color) && promotion.is_none() =>
            {
                format!("say what the pawn becomes, like {to}=Q")
            }
            (true, _) if self.in_check() => "your king is in check and would still be".into(),
            (true, _) => "your king would be in check".into(),
            (false, Some(from)) => format!("the {} on {from} cannot go to {to}", name(piece)),
            (false, None) => format!("no {} of yours can go to {to}", name(piece)),
        }
    }

    /// The pseudo-legal targets of a piece.
    fn reach(&self, piece: Piece, from: Square) -> BitBoard {
        let (color, occupied) = (self.rules.side_to_move(), self.rules.occupied());
        match piece {
            Piece::Pawn => {
                let en_passant = self.en_passant_square().map_or(BitBoard::EMPTY, Square::bitboard);
                let targets = self.rules.colors(!color) | en_passant;
                cozy::get_pawn_attacks(from, color) & targets | cozy::get_pawn_quiets(from, color, occupied)
            }
            Piece::Knight => cozy::get_knight_moves(from),
            Piece::Bishop => cozy::get_bishop_moves(from, occupied),
            Piece::Rook => cozy::get_rook_moves(from, occupied),
            Piece::Queen => cozy::get_bishop_moves(from, occupied) | cozy::get_rook_moves(from, occupied),
            Piece::King => cozy::get_king_moves(from),
        }
    }
}

fn name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_moves_have_reasons() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let check = "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1";
        let through = "4k3/8/8/8/3r4/8/8/R3K2R w KQ - 0 1";
        for (fen, text, reason) in [
            (start, "Nf6", "no knight of yours can go to f6"),
            (start, "g1g3", "the knight on g1 cannot go to g3"),
            (start, "e3e4", "there is no piece on e3"),
            (start, "e7e5", "the piece on e7 is not yours"),
            (start, "Ra2", "your own piece stands on a2"),
            (start, "e5", "no pawn of yours can go to e5"),
            (start, "O-O", "you cannot castle: there is a piece in between"),
            (check, "O-O", "you cannot castle: you are in check"),
            (check, "Rb1", "your king is in check and would still be"),
            (through, "O-O-O", "you cannot castle: the king would step through check"),
            (through, "Ke2", ""),
            (through, "Kd1", "your king would be in check"),
            ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "0-0", "you cannot castle: the king or that rook has moved"),
            ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8", "say what the pawn becomes, like e8=Q"),
        ] {
            let board: Board = fen.parse().unwrap();
            assert_eq!(board.illegal_reason(text).unwrap_or_default(), reason, "{text} in {fen}");
        }
    }
}
