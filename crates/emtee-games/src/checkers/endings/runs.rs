//! Values as runs, and runs as few bytes: an adaptive binary range coder.
//!
//! Neighbouring numbers are positions that differ little, so their values come in runs. A run is its value and its length; the
//! model learns which value follows which, and how long runs are after runs like the last.

use super::value::Wdl;

/// The chance that a bit is 0, in 2048ths.
type Chance = u16;
const EVEN: Chance = 1 << 10;
const CHANCE_BITS: u32 = 11;
/// How fast chances learn.
const LEARNING: u32 = 5;
/// Below this the range is made wider by another byte.
const NARROW: u32 = 1 << 24;

/// Where bits go to or come from; a coder and a decoder agree on the model because they run it alike.
trait Bits {
    /// Codes a bit, or finds it: `bit` is what the coder is told, and what comes back is the bit.
    fn bit(&mut self, chance: &mut Chance, bit: u32) -> u32;
}

fn learn(chance: &mut Chance, bit: u32) {
    if bit == 0 {
        *chance += ((1 << CHANCE_BITS) - *chance) >> LEARNING;
    } else {
        *chance -= *chance >> LEARNING;
    }
}

struct Coder {
    low: u64,
    range: u32,
    /// The last byte that a carry may still change, and how many 0xff follow it.
    held: u8,
    waiting: u64,
    bytes: Vec<u8>,
}

impl Coder {
    fn new() -> Coder {
        // The first byte held is no byte: the decoder knows.
        Coder { low: 0, range: u32::MAX, held: 0, waiting: 1, bytes: Vec::new() }
    }

    fn shift(&mut self) {
        if self.low < 0xff00_0000 || self.low > u64::from(u32::MAX) {
            let carry = (self.low >> 32) as u8;
            let mut byte = self.held;
            while self.waiting > 0 {
                self.bytes.push(byte.wrapping_add(carry));
                byte = 0xff;
                self.waiting -= 1;
            }
            self.held = (self.low >> 24) as u8;
        }
        self.waiting += 1;
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.bytes
    }
}

impl Bits for Coder {
    #[inline(always)]
    fn bit(&mut self, chance: &mut Chance, bit: u32) -> u32 {
        let bound = (self.range >> CHANCE_BITS) * u32::from(*chance);
        if bit == 0 {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        learn(chance, bit);
        while self.range < NARROW {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

struct Decoder<'b> {
    code: u32,
    range: u32,
    bytes: std::slice::Iter<'b, u8>,
}

impl Decoder<'_> {
    fn new(bytes: &[u8]) -> Decoder<'_> {
        let mut decoder = Decoder { code: 0, range: u32::MAX, bytes: bytes.iter() };
        (0..5).for_each(|_| decoder.take());
        decoder
    }

    /// Past the end come zeros: checksums find a block that is too short.
    fn take(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }
}

impl Bits for Decoder<'_> {
    #[inline(always)]
    fn bit(&mut self, chance: &mut Chance, _: u32) -> u32 {
        let bound = (self.range >> CHANCE_BITS) * u32::from(*chance);
        let bit = if self.code < bound {
            self.range = bound;
            0
        } else {
            self.code -= bound;
            self.range -= bound;
            1
        };
        learn(chance, bit);
        while self.range < NARROW {
            self.range <<= 8;
            self.take();
        }
        bit
    }
}

/// Lengths are below 2^SIZES.
const SIZES: usize = 32;

/// What is known of runs so far.
struct Model {
    /// Which of the two other values comes next, by the last two values.
    next: [[Chance; 3]; 3],
    /// How many bits a length has, by the run's value and the size of the last run with that value: bit by bit, as a path
    /// down a tree.
    size: Vec<[[Chance; SIZES]; SIZES]>,
    /// The bits of a length below its highest, by their number and place.
    rest: Vec<[Chance; SIZES]>,
    before: usize,
    size_before: [usize; 3],
}

impl Model {
    fn new() -> Model {
        let size = vec![[[EVEN; SIZES]; SIZES]; 3];
        Model { next: [[EVEN; 3]; 3], size, rest: vec![[EVEN; SIZES]; SIZES], before: 0, size_before: [0; 3] }
    }

    /// The value that follows `last`.
    fn next(&mut self, bits: &mut impl Bits, last: usize, next: usize) -> usize {
        let chance = &mut self.next[last][self.before];
        self.before = last;
        let step = bits.bit(chance, u32::from(next == (last + 2) % 3));
        (last + 1 + step as usize) % 3
    }

    /// The length of a run, at least 1.
    fn length(&mut self, bits: &mut impl Bits, value: usize, length: u32) -> u32 {
        let size = length.checked_ilog2().unwrap_or(0);
        let tree = &mut self.size[value][self.size_before[value]];
        let mut path = 1;
        for at in (0..5).rev() {
            path = path << 1 | bits.bit(&mut tree[path as usize], size >> at & 1);
        }
        let size = path & 31;
        self.size_before[value] = size as usize;
        let mut found = 1;
        for at in (0..size).rev() {
            found = found << 1 | bits.bit(&mut self.rest[size as usize][at as usize], length >> at & 1);
        }
        found
    }
}

/// Values in few bytes.
pub(super) fn coded(values: impl Iterator<Item = Wdl>) -> Vec<u8> {
    let (mut coder, mut model) = (Coder::new(), Model::new());
    let mut values = values.map(|value| value as usize);
    let first = values.next().unwrap_or_default();
    let (mut last, mut length) = (first, 1);
    for value in values {
        if value != last {
            model.length(&mut coder, last, length);
            model.next(&mut coder, last, value);
            (last, length) = (value, 0);
        }
        length += 1;
    }
    model.length(&mut coder, last, length);
    let mut bytes = coder.finish();
    // A coder's first byte is always zero: the first value has its place.
    bytes[0] = first as u8;
    bytes
}

/// Shows the runs of `len` values to `see`, from what [`coded`] made of them. False if that cannot be.
pub(super) fn decoded(bytes: &[u8], len: u32, mut see: impl FnMut(Wdl, u32)) -> bool {
    let (mut decoder, mut model) = (Decoder::new(bytes), Model::new());
    let mut value = usize::from(bytes.first().copied().unwrap_or(u8::MAX));
    if value > 2 {
        return false;
    }
    let mut left = len;
    loop {
        let length = model.length(&mut decoder, value, 0);
        if length > left {
            return false;
        }
        left -= length;
        see([Wdl::Loss, Wdl::Draw, Wdl::Win][value], length);
        if left == 0 {
            return true;
        }
        value = model.next(&mut decoder, value, 0);
    }
}

#[cfg(test)]
mod tests {
    use emtee::mix;
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(values: &[Wdl]) -> usize {
        let bytes = coded(values.iter().copied());
        let mut found = Vec::new();
        let all = decoded(&bytes, values.len() as u32, |value, length| {
            found.extend(std::iter::repeat_n(value, length as usize));
        });
        assert!(all && found == values);
        bytes.len()
    }

    const ALL: [Wdl; 3] = [Wdl::Loss, Wdl::Draw, Wdl::Win];

    #[test]
    fn what_is_coded_is_found_again() {
        for value in ALL {
            assert!(check(&vec![value; 1 << 20]) < 16);
            check(&[value]);
        }
        let long: Vec<_> = (0..200_000u64).map(|n| ALL[(mix(n / (1 + mix(n / 5_000) % 300)) % 3) as usize]).collect();
        check(&long);
        // No order, no gain: the information in as many throws of a die with three sides is 19,812 bytes.
        let wild: Vec<_> = (0..100_000).map(|n| ALL[(mix(n) % 3) as usize]).collect();
        assert!((19_812..22_000).contains(&check(&wild)));
    }

    proptest! {
        #[test]
        fn any_values(values in proptest::collection::vec(0usize..3, 1..300)) {
            check(&values.into_iter().map(|value| ALL[value]).collect::<Vec<_>>());
        }

        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300), len in 1u32..5_000) {
            let mut shown = 0;
            let all = decoded(&bytes, len, |_, length| shown += length);
            prop_assert!(shown <= len && (!all || shown == len));
        }
    }
}
