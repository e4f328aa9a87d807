//! The default keys of positions and codes of moves.

use core::hash::{Hash, Hasher};

/// The 64-bit key of a value that can be hashed. It is the same on every run and every machine.
///
/// ```
/// assert_eq!(emtee::key_of(&[1u8, 2, 3]), emtee::key_of(&[1u8, 2, 3]));
/// assert_ne!(emtee::key_of(&[1u8, 2, 3]), emtee::key_of(&[1u8, 3, 2]));
/// ```
pub fn key_of<T: Hash + ?Sized>(thing: &T) -> u64 {
    let mut hasher = KeyHasher { state: SEED, variants: 0 };
    thing.hash(&mut hasher);
    hasher.finish()
}

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const MULTIPLIER: u64 = 0xd134_2543_de82_ef95;

/// A one-to-one mixing function of 64-bit numbers: every bit of the result depends on all bits of the number.
///
/// It makes a good key from any number that identifies a position.
#[inline(always)]
pub const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(MULTIPLIER);
    let x = (x ^ (x >> 29)).wrapping_mul(SEED);
    x ^ (x >> 32)
}

/// A hasher that folds eight bytes at a time with a full-width product. It has no random seed, so keys are reproducible.
struct KeyHasher {
    state: u64,
    /// Variants of enums that are not folded yet: four bits each, one more than the variant, the last one lowest. A board of
    /// `[Option<Side>; 49]` has up to 98 of them, so folding each alone would take most of the time of a visit.
    variants: u64,
}

/// The variants below this share a word.
const SMALL_VARIANTS: u64 = 15;

/// The parts of a move that its `Hash` implementation writes: the variant of an enum, and up to four small numbers, 16 bits
/// of each.
#[derive(Default)]
struct Parts {
    variant: Option<u64>,
    count: usize,
    parts: u64,
    /// Whether there is another enum inside. The number of its parts can differ between variants.
    nested: bool,
}

/// The bits of each part if there are one, two, three or four parts: 13, 12 or 10 bits in all.
const PLAIN_WIDTHS: [usize; 4] = [13, 6, 4, 3];
const VARIANT_WIDTHS: [usize; 4] = [12, 6, 4, 3];
const NESTED_WIDTHS: [usize; 4] = [10, 5, 3, 2];

/// The last variant whose number fits into the code with its fields.
const LAST_VARIANT: u64 = 6;

/// The code of a move with small parts, less than 2¹⁵. Different moves of one type have different codes.
///
/// ```text
/// a struct or a number:        parts 13 bits | number of parts 2 bits
/// variants 0 to 6 of an enum:  parts 12 bits | variant 3 bits
/// … with an enum inside:       parts 10 bits | number of parts 2 bits | variant 3 bits
/// variants without fields:     variant - 7, 12 bits | 7 (from variant 7)
/// ```
#[inline(always)]
pub(crate) fn code_of<M: Hash>(m: &M) -> Option<u16> {
    let mut small = Parts::default();
    m.hash(&mut small);
    let Parts { variant, count, parts, nested } = small;
    let tag = (count as u64).wrapping_sub(1);
    let (mut code, mut shift, widths) = match variant {
        None => (tag, 2, &PLAIN_WIDTHS),
        Some(variant @ ..=LAST_VARIANT) if nested => (variant | tag << 3, 5, &NESTED_WIDTHS),
        Some(variant @ ..=LAST_VARIANT) if count == 0 => return Some(variant as u16),
        Some(variant @ ..=LAST_VARIANT) => (variant, 3, &VARIANT_WIDTHS),
        Some(variant) if count == 0 && variant < 4096 + 7 => return Some((7 | (variant - 7) << 3) as u16),
        Some(_) => return None,
    };
    let width = widths.get(count.wrapping_sub(1))?;
    for number in 0..count {
        let part = parts >> (16 * number) & 0xffff;
        if part >> width != 0 {
            return None;
        }
        code |= part << shift;
        shift += width;
    }
    Some(code as u16)
}

impl KeyHasher {
    #[inline(always)]
    fn add(&mut self, word: u64) {
        let product = u128::from(self.state ^ word) * u128::from(MULTIPLIER);
        // If one factor is zero, the product loses the other. So the word itself is added as well.
        self.state = (product as u64 ^ (product >> 64) as u64).wrapping_add(word.rotate_left(23)) ^ SEED;
    }

    #[inline(always)]
    fn add_variants(&mut self) {
        if self.variants != 0 {
            let variants = core::mem::take(&mut self.variants);
            self.add(variants);
        }
    }
}

impl Hasher for KeyHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.add_variants();
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word) ^ (chunk.len() as u64) << 59);
        }
    }
    /// `#[derive(Hash)]` writes the variant of an enum by this method.
    #[inline(always)]
    fn write_isize(&mut self, variant: isize) {
        if (variant as u64) < SMALL_VARIANTS {
            if self.variants >> 60 != 0 {
                self.add_variants();
            }
            self.variants = self.variants << 4 | (variant as u64 + 1);
        } else {
            self.write(&variant.to_le_bytes());
        }
    }
    fn finish(&self) -> u64 {
        let mut all = KeyHasher { ..*self };
        all.add_variants();
        mix(all.state)
    }
}

impl Hasher for Parts {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        let mut part = [0; 8];
        // Anything longer than a number counts as a number that is too large.
        if let Some(number) = part.get_mut(..bytes.len()) {
            number.copy_from_slice(bytes);
        } else {
            part = [u8::MAX; 8];
        }
        self.count += 1;
        self.parts = self.parts << 16 | u64::from_le_bytes(part).min(0xffff);
    }
    /// `#[derive(Hash)]` writes the variant of an enum first, by this method.
    #[inline(always)]
    fn write_isize(&mut self, variant: isize) {
        if self.count == 0 && self.variant.is_none() {
            self.variant = Some(variant as u64);
        } else {
            self.nested = true;
            self.write(&variant.to_ne_bytes());
        }
    }
    fn finish(&self) -> u64 {
        self.parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    #[test]
    fn moves_with_small_parts_have_different_codes() {
        #[derive(Hash)]
        enum Move {
            Pass,
            Drop(u8),
            Step { from: usize, to: usize },
        }
        let codes: Vec<Option<u16>> = (0..8)
            .flat_map(|from| (0..8).map(move |to| code_of(&Move::Step { from, to })))
            .chain((0..64).map(|square| code_of(&Move::Drop(square))))
            .chain([code_of(&Move::Pass)])
            .collect();
        let different: BTreeSet<u16> = codes.iter().map(|code| code.expect("it has small parts")).collect();
        assert_eq!(different.len(), codes.len());
        assert!(different.iter().all(|&code| code < 1 << 15));
        assert_eq!([code_of(&5u8), code_of(&(1u8, 2u8))], [Some(5 << 2), Some(1 | 2 << 2 | 1 << 8)]);
        let squares: BTreeSet<Option<u16>> = (0..8192u32).map(|square| code_of(&square)).collect();
        assert_eq!(squares.len(), 8192);
        assert_eq!(
            [code_of(&(7u8, 7u8, 7u8, 7u8)), code_of(&(7u8, 7u8, 8u8, 7u8))].map(|code| code.is_some()),
            [true, false]
        );
    }

    #[test]
    fn keys_are_the_same_in_every_build() {
        assert_eq!(
            [key_of(&1u64), key_of(&(3u8, 7u32)), key_of(&"mt")],
            [14651459130149716459, 11585585396172011312, 17196721097420199282]
        );
    }

    #[test]
    fn keys_of_enums_depend_on_every_variant() {
        #[derive(Hash, Clone, Copy)]
        enum Piece {
            Pawn,
            King(bool),
        }
        let cells = [None, Some(Piece::Pawn), Some(Piece::King(false)), Some(Piece::King(true))];
        let mut keys = BTreeSet::new();
        for length in 0..=8 {
            for number in 0..1_usize << (2 * length.min(6)) {
                let board: Vec<Option<Piece>> = (0..length).map(|cell| cells[number >> (2 * cell) & 3]).collect();
                assert!(keys.insert(key_of(&(board, number & 1 == 1))) || length > 6, "{length} {number}");
            }
        }
        // More variants than fit into a word, and variants that share none.
        let long: BTreeSet<u64> = (0..100)
            .map(|at| key_of(&core::array::from_fn::<_, 100, _>(|cell| (cell == at).then_some(Piece::Pawn))))
            .collect();
        assert_eq!(long.len(), 100);
        let numbers: BTreeSet<u64> = (-20..40_isize).map(|number| key_of(&[number; 3])).collect();
        assert_eq!(numbers.len(), 60);
    }

    #[test]
    fn the_code_of_an_enum_has_its_variant() {
        #[derive(Hash, Clone, Copy, PartialEq, Debug)]
        enum Piece {
            Knight,
            Queen(u8),
        }
        #[derive(Hash, Clone, Copy, PartialEq, Debug)]
        enum Move {
            Pass,
            Clone(u8),
            Jump(u8, u8),
            Promote(u8, Piece),
        }
        let squares = || 0..49u8;
        let jumps = squares().flat_map(|from| squares().map(move |to| Move::Jump(from, to)));
        let pieces = (0..4).map(Piece::Queen).chain([Piece::Knight]);
        let promotions = pieces.flat_map(|piece| (0..8).map(move |to| Move::Promote(to, piece)));
        let moves: Vec<Move> = jumps.chain(squares().map(Move::Clone)).chain([Move::Pass]).chain(promotions).collect();
        let codes: BTreeSet<u16> = moves.iter().map(|m| code_of(m).unwrap_or_else(|| panic!("{m:?}"))).collect();
        assert_eq!(codes.len(), moves.len());
        assert!(codes.iter().all(|&code| code < 1 << 15));
        assert_eq!(code_of(&Move::Jump(64, 0)), None);
        // Many variants without fields.
        let variants: BTreeSet<Option<u16>> = (0..4103isize).map(|variant| code_of(&variant)).collect();
        assert_eq!((variants.len(), variants.contains(&None)), (4103, false));
        assert_eq!([code_of(&4103isize), code_of(&-1isize), code_of(&(7isize, 1u8))], [None; 3]);
    }

    #[test]
    fn larger_moves_have_no_code() {
        assert_eq!(code_of(&()), None);
        assert_eq!(code_of(&8192u16), None);
        assert_eq!(code_of(&(64u8, 0u8)), None);
        assert_eq!(code_of(&-1i8), code_of(&255u8));
        assert_eq!(code_of(&-1i32), None);
        assert_eq!(code_of(&"e4"), None);
        assert_eq!(code_of(&[1u8; 5]), None);
    }
}
