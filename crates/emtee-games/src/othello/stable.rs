//! Stable discs, which can never be flipped again: they bound the score without a search.

const EDGES: [u64; 4] = [
    0x8181_8181_8181_8181, // No squares beyond the first and last column: discs there cannot be flipped along their row.
    0xff00_0000_0000_00ff,
    0xff81_8181_8181_81ff,
    0xff81_8181_8181_81ff,
];

/// A subset of the stable discs of `own`: those safe along each of the four lines, because the line is full, ends there, or
/// continues with a disc known to be stable. Missing a stable disc can cost a cutoff, but never causes a wrong value.
#[inline(always)]
pub(crate) fn stable(own: u64, opponent: u64) -> u64 {
    let full = full_lines(own | opponent);
    let safe: [u64; 4] = std::array::from_fn(|line| full[line] | EDGES[line]);
    let mut stable = own & safe[0] & safe[1] & safe[2] & safe[3];
    if stable == 0 {
        return 0;
    }
    loop {
        // Bits that wrap around an edge land on squares that are safe along that line anyway.
        let grown = own
            & (safe[0] | stable << 1 | stable >> 1)
            & (safe[1] | stable << 8 | stable >> 8)
            & (safe[2] | stable << 9 | stable >> 9)
            & (safe[3] | stable << 7 | stable >> 7);
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// The squares on full rows, columns, and diagonals of both directions.
#[inline(always)]
fn full_lines(discs: u64) -> [u64; 4] {
    const ROW: u64 = 0x0101_0101_0101_0101;
    let mut rows = discs & discs >> 4;
    rows &= rows >> 2;
    rows &= rows >> 1;
    rows = (rows & ROW) * 255;
    let mut columns = discs & discs.rotate_right(8);
    columns &= columns.rotate_right(16);
    columns &= columns.rotate_right(32);
    // A diagonal with an empty square is not full: empty squares spread in both directions, by three doublings, up to the
    // edges.
    let gaps = !discs;
    [rows, columns, !spread::<9>(gaps), !spread::<7>(gaps)]
}

/// Marks the diagonals of step `STEP` (7 or 9) through the squares of `set`.
#[inline(always)]
fn spread<const STEP: u32>(set: u64) -> u64 {
    // Towards higher bits a step of 9 goes right, a step of 7 goes left. The masks prevent wrapping around.
    const NOT_LEFT: [u64; 3] = [0xfefe_fefe_fefe_fefe, 0xfcfc_fcfc_fcfc_fcfc, 0xf0f0_f0f0_f0f0_f0f0];
    const NOT_RIGHT: [u64; 3] = [0x7f7f_7f7f_7f7f_7f7f, 0x3f3f_3f3f_3f3f_3f3f, 0x0f0f_0f0f_0f0f_0f0f];
    let (after_up, after_down) = if STEP == 9 { (NOT_LEFT, NOT_RIGHT) } else { (NOT_RIGHT, NOT_LEFT) };
    let (mut up, mut down) = (set, set);
    for doubling in 0..3 {
        up |= up << (STEP << doubling) & after_up[doubling];
        down |= down >> (STEP << doubling) & after_down[doubling];
    }
    up | down
}

#[cfg(test)]
mod tests {
    use super::*;
    use emtee::mix;

    #[test]
    fn full_lines_are_full() {
        for n in 0..20_000u64 {
            let discs = mix(2 * n) | mix(2 * n + 1) | mix(n + 77_777);
            let found = full_lines(discs);
            for square in 0..64i32 {
                for (line, (down, right)) in [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().enumerate() {
                    let full = (-7..=7).all(|step| {
                        let (row, column) = (square / 8 + step * down, square % 8 + step * right);
                        !(0..8).contains(&row) || !(0..8).contains(&column) || discs >> (8 * row + column) & 1 == 1
                    });
                    assert_eq!(found[line] >> square & 1 == 1, full, "line {line} of square {square} in {discs:#x}");
                }
            }
        }
    }

    #[test]
    fn corners_and_discs_connected_to_them_are_stable() {
        assert_eq!(stable(0x0000_0000_0000_0107, 0), 0x0107);
        assert_eq!(stable(0x0000_0000_0000_0206, 0), 0);
        assert_eq!(stable(u64::MAX, 0), u64::MAX);
    }

    /// Stable discs keep their colour for the rest of the game.
    #[test]
    fn stable_discs_keep_their_colour() {
        use super::super::Board;
        use emtee::Game;
        for game in 0..300 {
            let mut board = Board::default();
            let mut safe = [0u64; 2];
            for ply in 0..70 {
                let moves = emtee::legal_moves(&board);
                assert_eq!(safe[0] & !board.black(), 0);
                assert_eq!(safe[1] & !board.white(), 0);
                safe = [stable(board.black(), board.white()), stable(board.white(), board.black())];
                if moves.is_empty() {
                    break;
                }
                board = board.play(moves[(mix(game * 128 + ply) % moves.len() as u64) as usize]);
            }
        }
    }
}
