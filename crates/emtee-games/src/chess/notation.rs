//! FEN, and the drawn board.

use std::fmt;
use std::str::FromStr;

use cozy_chess::{BoardBuilder, BoardBuilderError, CastleRights};
use cozy_chess::{Color, File, Piece, Rank, Square};

use super::board::Board;
use crate::drawing::{Cell, Drawing, Drawn, Ground, Ink};
use crate::error::{Error, ErrorKind, quoted};

/// Makes an [`Error`] from a kind and a format string.
macro_rules! wrong {
    ($kind:ident, $($text:tt)*) => { Error::new(ErrorKind::$kind, format!($($text)*)) };
}

impl FromStr for Board {
    type Err = Error;

    /// Reads a FEN. The last four fields can be left out. Castling rights can name the files of the rooks (`HAha`), for
    /// Chess960.
    fn from_str(text: &str) -> Result<Board, Error> {
        let mut fields = text.split_whitespace();
        let mut next = |name: &str| fields.next().ok_or_else(|| wrong!(Syntax, "the FEN ends before {name}"));
        let mut builder = BoardBuilder::empty();
        read_pieces(next("the pieces")?, &mut builder)?;
        builder.side_to_move = match next("the side to move")? {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(wrong!(Syntax, "the side to move is w or b, not {}", quoted(other))),
        };
        // EPD has no clocks, and hand-written positions often end here.
        let castling = fields.next().unwrap_or("-");
        let en_passant = fields.next().unwrap_or("-");
        let halfmove_clock = fields.next().unwrap_or("0");
        let move_number = fields.next().unwrap_or("1");
        if let Some(more) = fields.next() {
            return Err(wrong!(Length, "a FEN has six fields, but {} follows them", quoted(more)));
        }
        read_castling(castling, &mut builder)?;
        if en_passant != "-" {
            let square = en_passant.parse().map_err(|_| {
                wrong!(Syntax, "the en-passant field is a square like e3 or a dash, not {}", quoted(en_passant))
            })?;
            builder.en_passant = Some(square);
        }
        builder.halfmove_clock = halfmove_clock.parse().ok().filter(|&clock| clock <= 100).ok_or_else(|| {
            wrong!(Number, "the halfmove clock is a number from 0 to 100, not {}", quoted(halfmove_clock))
        })?;
        builder.fullmove_number = move_number.parse().ok().filter(|&number| number > 0).ok_or_else(|| {
            wrong!(Number, "the move number is a number from 1 to 65535, not {}", quoted(move_number))
        })?;
        let rules = builder.build().map_err(|error| explain(error, &builder))?;
        if rules.checkers().len() > 2 {
            return Err(wrong!(
                IllegalPosition,
                "{} pieces give check at once, which no move can cause",
                rules.checkers().len()
            ));
        }
        // The rules crate allows adjacent kings.
        if cozy_chess::get_king_moves(rules.king(Color::White)).has(rules.king(Color::Black)) {
            return Err(wrong!(IllegalPosition, "the two kings are on neighbouring squares"));
        }
        Ok(Board { rules })
    }
}

fn read_pieces(text: &str, builder: &mut BoardBuilder) -> Result<(), Error> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 8 {
        return Err(wrong!(Length, "the board has 8 ranks, and {} are given", rows.len()));
    }
    for (&rank, row) in Rank::ALL.iter().rev().zip(rows) {
        let number = rank as usize + 1;
        let mut file = 0;
        for c in row.chars() {
            if let Some(empty) = c.to_digit(10).filter(|empty| (1..=8).contains(empty)) {
                file += empty as usize;
                continue;
            }
            let piece = Piece::try_from(c.to_ascii_lowercase()).map_err(|_| {
                wrong!(Syntax, "rank {number} has {c:?}, which is neither a piece nor a number of squares")
            })?;
            let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
            if piece == Piece::Pawn && matches!(rank, Rank::First | Rank::Eighth) {
                return Err(wrong!(IllegalPosition, "rank {number} has a pawn, which cannot stand there"));
            }
            if let Some(file) = File::try_index(file) {
                *builder.square_mut(Square::new(file, rank)) = Some((piece, color));
            }
            file += 1;
        }
        if file != 8 {
            return Err(wrong!(Length, "rank {number} has {file} squares instead of 8"));
        }
    }
    for color in Color::ALL {
        let name = name(color);
        let count = |piece| builder.board.iter().filter(|&&on| on == Some((piece, color))).count();
        match count(Piece::King) {
            1 => {}
            0 => return Err(wrong!(IllegalPosition, "{name} has no king")),
            kings => return Err(wrong!(IllegalPosition, "{name} has {kings} kings")),
        }
        if count(Piece::Pawn) > 8 {
            return Err(wrong!(IllegalPosition, "{name} has {} pawns, more than 8", count(Piece::Pawn)));
        }
        let pieces = Piece::ALL.into_iter().map(count).sum::<usize>();
        if pieces > 16 {
            return Err(wrong!(IllegalPosition, "{name} has {pieces} pieces, more than 16"));
        }
    }
    Ok(())
}

fn read_castling(text: &str, builder: &mut BoardBuilder) -> Result<(), Error> {
    if text == "-" {
        return Ok(());
    }
    for c in text.chars() {
        let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = Rank::First.relative_to(color);
        let on = |file: File, piece| builder.square(Square::new(file, rank)) == Some((piece, color));
        let no_king = || wrong!(IllegalPosition, "{} may not castle: the king is not on its first rank", name(color));
        let king = File::ALL.into_iter().find(|&file| on(file, Piece::King)).ok_or_else(no_king)?;
        let rook = match c.to_ascii_lowercase() {
            // The outermost rook, as in X-FEN.
            'k' => File::ALL.into_iter().rev().take_while(|&file| file > king).find(|&file| on(file, Piece::Rook)),
            'q' => File::ALL.into_iter().take_while(|&file| file < king).find(|&file| on(file, Piece::Rook)),
            c => match File::try_from(c) {
                Ok(file) => Some(file).filter(|&file| on(file, Piece::Rook)),
                Err(_) => {
                    return Err(wrong!(
                        Syntax,
                        "castling rights are letters of KQkq or a dash, and {:?} is neither",
                        c
                    ));
                }
            },
        };
        let rook = rook.ok_or_else(|| wrong!(IllegalPosition, "castling right {c:?} has no rook to castle with"))?;
        let rights = builder.castle_rights_mut(color);
        let right = if rook > king { &mut rights.short } else { &mut rights.long };
        if right.replace(rook).is_some() {
            return Err(wrong!(Duplicate, "castling right {c:?} is given twice"));
        }
    }
    Ok(())
}

/// The message for an error of the rules crate. Most errors have been reported before it could find them.
fn explain(error: BoardBuilderError, builder: &BoardBuilder) -> Error {
    match error {
        BoardBuilderError::InvalidBoard => {
            wrong!(IllegalPosition, "{} is in check, but it is the other side's turn", name(!builder.side_to_move))
        }
        BoardBuilderError::InvalidCastlingRights => wrong!(IllegalPosition, "the castling rights do not fit the board"),
        BoardBuilderError::InvalidEnPassant => match builder.en_passant {
            Some(square) => wrong!(IllegalPosition, "no pawn can just have passed {square}, the en-passant square"),
            None => wrong!(IllegalPosition, "the en-passant square does not fit the board"),
        },
        BoardBuilderError::InvalidHalfMoveClock => wrong!(Number, "the halfmove clock is out of range"),
        BoardBuilderError::InvalidFullmoveNumber => wrong!(Number, "the move number is out of range"),
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return draw(self, f);
        }
        // `KQkq` if king and rooks are on their standard files, otherwise the files of the rooks.
        let standard = Color::ALL.into_iter().all(|color| {
            let CastleRights { short, long } = *self.rules.castle_rights(color);
            let king = self.rules.king(color).file();
            short.is_none_or(|file| (king, file) == (File::E, File::H))
                && long.is_none_or(|file| (king, file) == (File::E, File::A))
        });
        if standard { write!(f, "{}", self.rules) } else { write!(f, "{:#}", self.rules) }
    }
}

impl Drawn for Board {
    fn drawing(&self) -> Drawing {
        let cell = |row: usize, column: usize| {
            let square = Square::new(File::index(column), Rank::index(7 - row));
            let ground = Ground::chequered(row, column);
            let ink = if self.rules.colors(Color::White).has(square) { Ink::White } else { Ink::Black };
            match self.rules.piece_on(square) {
                Some(piece) => Cell::new(symbol(piece), ink, ground),
                None => Cell::new("", Ink::Faint, ground),
            }
        };
        let drawing = Drawing::board(8, 8, cell).rows_named(|row| (8 - row).to_string()).columns_named("abcdefgh");
        drawing.captioned(caption(self))
    }
}

/// The filled symbols, for both sides: the outlined ones are hard to see on many backgrounds.
const fn symbol(piece: Piece) -> char {
    match piece {
        Piece::Pawn => '♟',
        Piece::Knight => '♞',
        Piece::Bishop => '♝',
        Piece::Rook => '♜',
        Piece::Queen => '♛',
        Piece::King => '♚',
    }
}

fn caption(board: &Board) -> String {
    let check = if board.in_check() { ", in check" } else { "" };
    format!("{} to move{check}", name(board.rules.side_to_move()))
}

/// Eight lines with coordinates, and the side to move.
fn draw(board: &Board, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        write!(f, "{}  ", rank as usize + 1)?;
        for file in File::ALL {
            let square = Square::new(file, rank);
            let c = match board.rules.piece_on(square) {
                None => '.',
                Some(piece) if board.rules.colors(Color::White).has(square) => char::from(piece).to_ascii_uppercase(),
                Some(piece) => char::from(piece),
            };
            write!(f, "{c}{}", if file == File::H { '\n' } else { ' ' })?;
        }
    }
    write!(f, "\n   a b c d e f g h\n\n{}", caption(board))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fens_round_trip() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 99 65535",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w Kq e6 0 2",
            "1rkr4/8/8/8/8/8/8/1R1K2R1 w GBdb - 0 1",
        ] {
            assert_eq!(fen.parse::<Board>().unwrap().to_string(), fen);
        }
        let short: Board = "8/8/8/8/8/8/8/K1k5 w".parse().unwrap();
        assert_eq!(short.to_string(), "8/8/8/8/8/8/8/K1k5 w - - 0 1");
    }

    #[test]
    fn errors_name_the_fault_and_its_place() {
        for (fen, error) in [
            ("", "the FEN ends before the pieces"),
            ("8/8/8/8/8/8/8/K1k5", "the FEN ends before the side to move"),
            ("8/8/8/8/8/8/K1k5 w - -", "the board has 8 ranks, and 7 are given"),
            ("8/8/8/9/8/8/8/K1k5 w - -", "rank 5 has '9', which is neither a piece nor a number of squares"),
            ("8/8/8/ppx5/8/8/8/K1k5 w - -", "rank 5 has 'x', which is neither a piece nor a number of squares"),
            ("8/8/7/8/8/8/8/K1k5 w - -", "rank 6 has 7 squares instead of 8"),
            ("8/8/8p/8/8/8/8/K1k5 w - -", "rank 6 has 9 squares instead of 8"),
            ("8/8/8/8/8/8/8/K1kp4 w - -", "rank 1 has a pawn, which cannot stand there"),
            ("8/8/8/8/8/8/8/2k5 w - -", "White has no king"),
            ("8/8/8/8/8/8/8/K1k1k3 w - -", "Black has 2 kings"),
            ("8/pppppppp/p7/8/8/8/8/K1k5 w - -", "Black has 9 pawns, more than 8"),
            ("8/pppppppp/nnnnnnnn/8/8/8/8/K1k5 w - -", "Black has 17 pieces, more than 16"),
            ("8/8/8/8/8/8/8/K1k5 x - -", "the side to move is w or b, not 'x'"),
            ("8/8/8/8/8/8/8/K1k4R w - -", "Black is in check, but it is the other side's turn"),
            ("8/8/8/8/8/8/8/Kk6 w - -", "the two kings are on neighbouring squares"),
            ("8/8/8/8/8/8/8/4K2k w K -", "castling right 'K' has no rook to castle with"),
            ("8/8/8/8/8/8/4K3/7k w K -", "White may not castle: the king is not on its first rank"),
            ("4k3/8/8/8/8/8/8/4K2R w KK -", "castling right 'K' is given twice"),
            ("4k3/8/8/8/8/8/8/4K2R w x -", "castling rights are letters of KQkq or a dash, and 'x' is neither"),
            ("4k3/8/8/8/8/8/8/4K3 w - e9", "the en-passant field is a square like e3 or a dash, not 'e9'"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6", "no pawn can just have passed e6, the en-passant square"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 101", "the halfmove clock is a number from 0 to 100, not '101'"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 1 0", "the move number is a number from 1 to 65535, not '0'"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 1 1 hello", "a FEN has six fields, but 'hello' follows them"),
        ] {
            assert_eq!(fen.parse::<Board>().unwrap_err().to_string(), error, "{fen}");
        }
    }

    #[test]
    fn the_board_is_drawn() {
        let board: Board = "rnbqkbnr/ppp1pppp/8/1B1p4/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2".parse().unwrap();
        let drawn = "8  r n b q k b n r\n7  p p p . p p p p\n6  . . . . . . . .\n5  . B . p . . . .\n\
                     4  . . . . P . . .\n3  . . . . . . . .\n2  P P P P . P P P\n1  R N B Q K . N R\n\n   \
                     a b c d e f g h\n\nBlack to move, in check";
        assert_eq!(format!("{board:#}"), drawn);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in ".{0,80}") {
            let _ = text.parse::<Board>();
        }

        #[test]
        fn no_text_like_a_fen_panics(
            text in "([pnbrqkPNBRQK1-8]{1,8}/){7}[pnbrqkPNBRQK1-8]{1,8} [wb] [KQkqA-Ha-h-]{1,4} ([a-h][1-8]|-) [0-9]{1,3} [0-9]{1,5}"
        ) {
            let _ = text.parse::<Board>();
        }

        #[test]
        fn random_positions_round_trip_or_are_refused(
            squares in proptest::collection::vec((0usize..64, "[pnbrqkPNBRQ]"), 0..12),
            kings in (0usize..64, 0usize..64), white in any::<bool>(), rights in "[KQkq]{1,4}|-", ep in "[a-h][36]|-",
        ) {
            let mut board = [' '; 64];
            for (square, piece) in squares {
                board[square] = piece.chars().next().unwrap();
            }
            board[kings.0] = 'K';
            board[kings.1] = 'k';
            let rows: Vec<String> = board.chunks(8).map(|row| row.iter().map(|c| if *c == ' ' { '1' } else { *c }).collect()).collect();
            let fen = format!("{} {} {rights} {ep} 0 1", rows.join("/"), if white { 'w' } else { 'b' });
            if let Ok(board) = fen.parse::<Board>() {
                prop_assert_eq!(board.to_string().parse::<Board>().unwrap(), board);
            }
        }
    }
}
