//! Run-length encoding of values, and an adaptive binary range coder for the runs.
//!
//! Positions with neighbouring numbers differ little, so their values form runs. A run is a value and a length. The
//! model adapts to which value follows which, and to the lengths of runs after runs of similar lengths.

use super::value::Wdl;

/// The probability that a bit is 0, in 2048ths.
type Probability = u16;
const EVEN: Probability = 1 << 10;
const PROBABILITY_BITS: u32 = 11;
/// Adaptation rate: a probability moves by 1/32 of its distance from the coded bit.
const ADAPTATION_SHIFT: u32 = 5;
/// Below this the range is renormalised by one byte.
const MIN_RANGE: u32 = 1 << 24;

/// An encoder or a decoder of bits. Both run the same code of the model, so that their probabilities agree.
trait BitCoder {
    /// Encodes `bit` and returns it, or ignores it and returns a decoded bit.
    fn bit(&mut self, probability: &mut Probability, bit: u32) -> u32;
}

fn adapt(probability: &mut Probability, bit: u32) {
    if bit == 0 {
        *probability += ((1 << PROBABILITY_BITS) - *probability) >> ADAPTATION_SHIFT;
    } else {
        *probability -= *probability >> ADAPTATION_SHIFT;
    }
}

struct Encoder {
    low: u64,
    range: u32,
    /// The last byte that a carry can still change.
    pending: u8,
    /// The number of pending bytes: that byte and the 0xff bytes after it.
    pending_count: u64,
    bytes: Vec<u8>,
}

impl Encoder {
    fn new() -> Encoder {
        // The first byte is always 0.
        Encoder { low: 0, range: u32::MAX, pending: 0, pending_count: 1, bytes: Vec::new() }
    }

    fn shift_byte(&mut self) {
        if self.low < 0xff00_0000 || self.low > u64::from(u32::MAX) {
            let carry = (self.low >> 32) as u8;
            let mut byte = self.pending;
            while self.pending_count > 0 {
                self.bytes.push(byte.wrapping_add(carry));
                byte = 0xff;
                self.pending_count -= 1;
            }
            self.pending = (self.low >> 24) as u8;
        }
        self.pending_count += 1;
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift_byte();
        }
        self.bytes
    }
}

impl BitCoder for Encoder {
    #[inline(always)]
    fn bit(&mut self, probability: &mut Probability, bit: u32) -> u32 {
        let bound = (self.range >> PROBABILITY_BITS) * u32::from(*probability);
        if bit == 0 {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        adapt(probability, bit);
        while self.range < MIN_RANGE {
            self.range <<= 8;
            self.shift_byte();
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

    /// Shifts in the next byte, 0 after the end. Checksums detect blocks that are too short.
    fn take(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }
}

impl BitCoder for Decoder<'_> {
    #[inline(always)]
    fn bit(&mut self, probability: &mut Probability, _: u32) -> u32 {
        let bound = (self.range >> PROBABILITY_BITS) * u32::from(*probability);
        let bit = if self.code < bound {
            self.range = bound;
            0
        } else {
            self.code -= bound;
            self.range -= bound;
            1
        };
        adapt(probability, bit);
        while self.range < MIN_RANGE {
            self.range <<= 8;
            self.take();
        }
        bit
    }
}

/// Lengths are below 2^SIZES.
const SIZES: usize = 32;

/// The adaptive model of runs.
struct Model {
    /// Which of the two other values comes next, by the last two values.
    next: [[Probability; 3]; 3],
    /// The size of a length, its number of bits, as a binary tree: by the value of the run and the size of the last run
    /// with that value.
    size: Vec<[[Probability; SIZES]; SIZES]>,
    /// The bits of a length below its highest bit, by the size and the position of the bit.
    rest: Vec<[Probability; SIZES]>,
    /// The value of the run before the last one.
    previous_value: usize,
    /// The size of the last run, by value.
    previous_size: [usize; 3],
}

impl Model {
    fn new() -> Model {
        let size = vec![[[EVEN; SIZES]; SIZES]; 3];
        Model { next: [[EVEN; 3]; 3], size, rest: vec![[EVEN; SIZES]; SIZES], previous_value: 0, previous_size: [0; 3] }
    }

    /// Codes the value that follows `last`.
    fn next(&mut self, coder: &mut impl BitCoder, last: usize, next: usize) -> usize {
        let probability = &mut self.next[last][self.previous_value];
        self.previous_value = last;
        let step = coder.bit(probability, u32::from(next == (last + 2) % 3));
        (last + 1 + step as usize) % 3
    }

    /// Codes the length of a run, at least 1.
    fn length(&mut self, coder: &mut impl BitCoder, value: usize, length: u32) -> u32 {
        let size = length.checked_ilog2().unwrap_or(0);
        let tree = &mut self.size[value][self.previous_size[value]];
        let mut path = 1;
        for bit in (0..5).rev() {
            path = path << 1 | coder.bit(&mut tree[path as usize], size >> bit & 1);
        }
        let size = path & 31;
        self.previous_size[value] = size as usize;
        let mut found = 1;
        for bit in (0..size).rev() {
            found = found << 1 | coder.bit(&mut self.rest[size as usize][bit as usize], length >> bit & 1);
        }
        found
    }
}

/// Encodes values.
pub(super) fn encode(values: impl Iterator<Item = Wdl>) -> Vec<u8> {
    let (mut encoder, mut model) = (Encoder::new(), Model::new());
    let mut values = values.map(|value| value as usize);
    let first = values.next().unwrap_or_default();
    let (mut last, mut length) = (first, 1);
    for value in values {
        if value != last {
            model.length(&mut encoder, last, length);
            model.next(&mut encoder, last, value);
            (last, length) = (value, 0);
        }
        length += 1;
    }
    model.length(&mut encoder, last, length);
    let mut bytes = encoder.finish();
    // The first byte of the encoder is always 0: store the first value there.
    bytes[0] = first as u8;
    bytes
}

/// Decodes `len` values from the output of [`encode`] and calls `visit` for each run. Returns false if the bytes are
/// invalid.
pub(super) fn decode(bytes: &[u8], len: u32, mut visit: impl FnMut(Wdl, u32)) -> bool {
    let (mut decoder, mut model) = (Decoder::new(bytes), Model::new());
    let mut value = usize::from(bytes.first().copied().unwrap_or(u8::MAX));
    if value > 2 {
        return false;
    }
    let mut remaining = len;
    loop {
        let length = model.length(&mut decoder, value, 0);
        if length > remaining {
            return false;
        }
        remaining -= length;
        visit([Wdl::Loss, Wdl::Draw, Wdl::Win][value], length);
        if remaining == 0 {
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
        let bytes = encode(values.iter().copied());
        let mut found = Vec::new();
        let all = decode(&bytes, values.len() as u32, |value, length| {
            found.extend(std::iter::repeat_n(value, length as usize));
        });
        assert!(all && found == values);
        bytes.len()
    }

    const ALL: [Wdl; 3] = [Wdl::Loss, Wdl::Draw, Wdl::Win];

    #[test]
    fn values_round_trip() {
        for value in ALL {
            assert!(check(&vec![value; 1 << 20]) < 16);
            check(&[value]);
        }
        let long: Vec<_> = (0..200_000u64).map(|n| ALL[(mix(n / (1 + mix(n / 5_000) % 300)) % 3) as usize]).collect();
        check(&long);
        // Random values cannot be compressed: their information is 19,812 bytes.
        let random: Vec<_> = (0..100_000).map(|n| ALL[(mix(n) % 3) as usize]).collect();
        assert!((19_812..22_000).contains(&check(&random)));
    }

    proptest! {
        #[test]
        fn any_values_round_trip(values in proptest::collection::vec(0usize..3, 1..300)) {
            check(&values.into_iter().map(|value| ALL[value]).collect::<Vec<_>>());
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), len in 1u32..5_000) {
            let mut shown = 0;
            let all = decode(&bytes, len, |_, length| shown += length);
            prop_assert!(shown <= len && (!all || shown == len));
        }
    }
}
