//! Explanations of illegal moves.

use emtee_engine::Registry;

#[test]
fn illegal_moves_are_explained() {
    let registry = Registry::standard();
    for (game, position, text, expected) in [
        ("tictactoe", "X--------", "1", "that square is taken"),
        ("tictactoe", "X--------", "12", "the squares are numbered 1 to 9"),
        ("connect4", "444444", "4", "column 4 is full"),
        ("connect4", "444444", "8", "the columns are numbered 1 to 7"),
        ("kalah", "0,5,5,5,5,4,0/4,4,4,4,4,4,0 S", "1", "your pit 1 is empty"),
        ("checkers", "B:W18:B1,14", "1-5", "'1-5' is not a legal move here; you must capture: 14x23"),
        ("checkers", "B:W18:B1,14", "hello", ""),
        ("chess", "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "Nc3", "your king would be in check"),
    ] {
        let position = registry.get(game).unwrap().position(position).unwrap();
        assert_eq!(position.illegal_reason(text).unwrap_or_default(), expected, "{game}: {text}");
    }
    let othello = registry.get("othello").unwrap().start();
    for (text, expected) in [
        ("d4", "that square is taken"),
        ("a1", "a disc on a1 would flip no discs"),
        ("pass", "you have a move, so you cannot pass"),
        ("f5", ""),
        ("quit", ""),
    ] {
        assert_eq!(othello.illegal_reason(text).unwrap_or_default(), expected, "{text}");
    }
}
