//! A small efficiently updatable network (NNUE): one hidden layer, two perspectives, output buckets.
//!
//! The input is one feature per kind of piece and square, once from each side's perspective. The accumulator of a
//! perspective is the sum of the weight vectors of its features. Both accumulators pass through squared clipped ReLU
//! (SCReLU, x ↦ clamp(x, 0, 1)²) into one output. The output layer depends on the number of pieces: it has [`BUCKETS`]
//! buckets.
//!
//! Positions that are evaluated one after the other differ in a few pieces. Each thread therefore keeps its
//! accumulators and updates them by the pieces that differ. The sums are integers, so a value does not depend on
//! earlier positions. `training/train.py` trains the weights and writes them in the format that [`Network::read`]
//! reads.
//!
//! The only unsafe code here calls the same function compiled for AVX2, after checking that the CPU has it. A test
//! checks that both give the same values.
#![allow(unsafe_code)]

/// Quantisation of the accumulators: an activation of 1.0.
const QA: i32 = 255;
/// Quantisation of the output layer: an output weight of 1.0.
const QB: i32 = 64;

/// Output buckets: there is one output layer for each, chosen by the number of pieces.
pub(crate) const BUCKETS: usize = 8;

/// One number per hidden neuron, aligned for SIMD loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Vector<const WIDTH: usize>([i16; WIDTH]);

/// The weights of a network with `WIDTH` hidden neurons per perspective.
#[derive(Debug)]
pub(crate) struct Network<const WIDTH: usize> {
    feature_weights: Vec<Vector<WIDTH>>,
    feature_bias: Vector<WIDTH>,
    /// For the perspective of the side to move, then for the other.
    output_weights: [[Vector<WIDTH>; 2]; BUCKETS],
    output_bias: [i32; BUCKETS],
    /// Points for an output of 1.0.
    scale: i32,
}

impl<const WIDTH: usize> Network<WIDTH> {
    /// Reads a network that the trainer wrote. `row_of` maps a feature to its row in the file.
    pub(crate) fn read(bytes: &[u8], features: usize, row_of: impl Fn(usize) -> usize) -> Option<Network<WIDTH>> {
        let (shorts, longs) = bytes.split_at_checked(2 * WIDTH * (features + 1 + 2 * BUCKETS))?;
        let vectors: Vec<Vector<WIDTH>> = shorts.chunks_exact(2 * WIDTH).map(vector).collect();
        let longs: Vec<i32> = longs.chunks_exact(4).map(|bytes| i32::from_le_bytes(array(bytes))).collect();
        let [output_bias @ .., scale] = <[i32; BUCKETS + 1]>::try_from(longs).ok()?;
        let (rows, rest) = vectors.split_at(features);
        let (feature_bias, output) = rest.split_first()?;
        let feature_weights = (0..features).map(|feature| rows[row_of(feature)]).collect();
        let output_weights = std::array::from_fn(|bucket| [output[2 * bucket], output[2 * bucket + 1]]);
        Some(Network { feature_weights, feature_bias: *feature_bias, output_weights, output_bias, scale })
    }

    /// The output for two accumulators, that of the side to move first.
    #[inline(always)]
    fn forward(&self, bucket: usize, accumulators: [&Vector<WIDTH>; 2]) -> i32 {
        let bucket = bucket.min(BUCKETS - 1);
        let mut sum = 0;
        for (accumulator, weights) in accumulators.into_iter().zip(&self.output_weights[bucket]) {
            for neuron in 0..WIDTH {
                let clipped = (accumulator.0[neuron] + self.feature_bias.0[neuron]).clamp(0, QA as i16);
                // Clipped times weight fits into 16 bits, so SIMD multiplies 16-bit lanes.
                sum += i32::from(clipped * weights.0[neuron]) * i32::from(clipped);
            }
        }
        let output = i64::from(sum / QA + self.output_bias[bucket]) * i64::from(self.scale);
        (output / i64::from(QA * QB)) as i32
    }
}

fn vector<const WIDTH: usize>(bytes: &[u8]) -> Vector<WIDTH> {
    let mut vector = Vector([0; WIDTH]);
    for (number, bytes) in vector.0.iter_mut().zip(bytes.chunks_exact(2)) {
        *number = i16::from_le_bytes(array(bytes));
    }
    vector
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(bytes);
    array
}

/// The accumulator of one perspective, with the position that it belongs to: one bitboard per kind of piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accumulator<const KINDS: usize, const WIDTH: usize> {
    bitboards: [u64; KINDS],
    sum: Vector<WIDTH>,
}

impl<const KINDS: usize, const WIDTH: usize> Accumulator<KINDS, WIDTH> {
    /// The accumulator of an empty board.
    pub(crate) const EMPTY: Self = Accumulator { bitboards: [0; KINDS], sum: Vector([0; WIDTH]) };

    /// Updates the accumulator to another position. `flip` is xored onto a square to get its number in this
    /// perspective; a kind of piece has `SQUARES` features.
    ///
    /// Adding before subtracting can exceed 16 bits when many pieces change. The sums wrap around, and the final sum is
    /// right.
    #[inline(always)]
    fn update<const SQUARES: usize>(&mut self, network: &Network<WIDTH>, bitboards: &[u64; KINDS], flip: usize) {
        for (kind, (before, now)) in self.bitboards.iter_mut().zip(bitboards).enumerate() {
            let changed = *before ^ now;
            if changed == 0 {
                continue;
            }
            let rows = &network.feature_weights[kind * SQUARES..][..SQUARES];
            let (mut added, mut removed) = (changed & now, changed & *before);
            while added != 0 {
                let row = &rows[(added.trailing_zeros() as usize ^ flip) % SQUARES];
                for neuron in 0..WIDTH {
                    self.sum.0[neuron] = self.sum.0[neuron].wrapping_add(row.0[neuron]);
                }
                added &= added - 1;
            }
            while removed != 0 {
                let row = &rows[(removed.trailing_zeros() as usize ^ flip) % SQUARES];
                for neuron in 0..WIDTH {
                    self.sum.0[neuron] = self.sum.0[neuron].wrapping_sub(row.0[neuron]);
                }
                removed &= removed - 1;
            }
            *before = *now;
        }
    }
}

/// A position from one side's perspective, and the accumulator to evaluate it with.
pub(crate) struct Perspective<'a, const KINDS: usize, const WIDTH: usize> {
    pub(crate) accumulator: &'a mut Accumulator<KINDS, WIDTH>,
    /// One per kind of piece.
    pub(crate) bitboards: [u64; KINDS],
    /// Xored onto every square.
    pub(crate) flip: usize,
}

/// The value of a position for the side to move. Its perspective is the first.
#[inline]
pub(crate) fn evaluate<const SQUARES: usize, const KINDS: usize, const WIDTH: usize>(
    network: &Network<WIDTH>,
    bucket: usize,
    perspectives: [Perspective<'_, KINDS, WIDTH>; 2],
) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the CPU has all the features that the function is compiled for.
        return unsafe { evaluate_avx2::<SQUARES, KINDS, WIDTH>(network, bucket, perspectives) };
    }
    evaluate_portable::<SQUARES, KINDS, WIDTH>(network, bucket, perspectives)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn evaluate_avx2<const SQUARES: usize, const KINDS: usize, const WIDTH: usize>(
    network: &Network<WIDTH>,
    bucket: usize,
    perspectives: [Perspective<'_, KINDS, WIDTH>; 2],
) -> i32 {
    evaluate_portable::<SQUARES, KINDS, WIDTH>(network, bucket, perspectives)
}

#[inline(always)]
fn evaluate_portable<const SQUARES: usize, const KINDS: usize, const WIDTH: usize>(
    network: &Network<WIDTH>,
    bucket: usize,
    perspectives: [Perspective<'_, KINDS, WIDTH>; 2],
) -> i32 {
    // No closure over both perspectives: inside `evaluate_avx2` it would be compiled without AVX2.
    let [own, other] = perspectives;
    own.accumulator.update::<SQUARES>(network, &own.bitboards, own.flip);
    other.accumulator.update::<SQUARES>(network, &other.bitboards, other.flip);
    network.forward(bucket, [&own.accumulator.sum, &other.accumulator.sum])
}

#[cfg(test)]
mod tests {
    use emtee::mix;

    use super::*;

    const SQUARES: usize = 8;
    const KINDS: usize = 3;
    const WIDTH: usize = 16;

    /// A network in the trainer's format.
    fn file() -> Vec<u8> {
        let weight = |at: usize| (mix(at as u64) % 201) as i16 - 100;
        let shorts = (0..WIDTH * (KINDS * SQUARES + 1 + 2 * BUCKETS)).map(weight).flat_map(i16::to_le_bytes);
        let longs = (0..BUCKETS as i32).map(|bucket| 1_000 * bucket).chain([200]).flat_map(i32::to_le_bytes);
        shorts.chain(longs).collect()
    }

    fn network() -> Network<WIDTH> {
        Network::read(&file(), KINDS * SQUARES, |feature| feature).unwrap()
    }

    /// The definition, computed from scratch.
    fn reference(network: &Network<WIDTH>, bucket: usize, boards: [[u64; KINDS]; 2], flip: usize) -> i32 {
        let mut sum = 0;
        for (bitboards, output_weights) in boards.iter().zip(&network.output_weights[bucket]) {
            for neuron in 0..WIDTH {
                let pieces = (0..KINDS * SQUARES).filter(|bit| bitboards[bit / SQUARES] >> (bit % SQUARES) & 1 == 1);
                let row = |bit: usize| network.feature_weights[bit / SQUARES * SQUARES + ((bit % SQUARES) ^ flip)];
                let weights = pieces.map(|bit| row(bit).0[neuron]);
                let clipped = i32::from(weights.sum::<i16>() + network.feature_bias.0[neuron]).clamp(0, QA);
                sum += clipped * clipped * i32::from(output_weights.0[neuron]);
            }
        }
        (sum / QA + network.output_bias[bucket]) * network.scale / (QA * QB)
    }

    #[test]
    fn values_depend_on_neither_earlier_positions_nor_the_cpu() {
        let network = network();
        let mut accumulators = [[Accumulator::EMPTY; 2]; 2];
        let mut values = std::collections::HashSet::new();
        for number in 0..2_000u64 {
            // Mostly a few pieces change from one position to the next, sometimes all.
            let board = |side: u64| {
                std::array::from_fn(|kind| mix(number / 3 * 8 + side * 4 + kind as u64) & mix(number) & 0xff)
            };
            let (boards, flip, bucket) = ([board(0), board(1)], 5, number as usize % BUCKETS);
            let perspectives = accumulators.each_mut().map(|[own, other]| {
                let [first, second] = boards;
                [
                    Perspective { accumulator: own, bitboards: first, flip },
                    Perspective { accumulator: other, bitboards: second, flip },
                ]
            });
            let [detected, portable] = perspectives;
            let value = evaluate::<SQUARES, KINDS, WIDTH>(&network, bucket, detected);
            assert_eq!(value, evaluate_portable::<SQUARES, KINDS, WIDTH>(&network, bucket, portable));
            assert_eq!(value, reference(&network, bucket, boards, flip), "{number}");
            values.insert(value);
        }
        assert!(values.len() > 300, "{}", values.len());
    }

    #[test]
    fn only_a_whole_network_is_read() {
        let bytes = file();
        for wrong in [&bytes[..bytes.len() - 1], &bytes[4..], &[&bytes[..], &[0; 4]].concat(), &[]] {
            assert!(Network::<WIDTH>::read(wrong, KINDS * SQUARES, |feature| feature).is_none());
        }
        let permuted = Network::<WIDTH>::read(&bytes, KINDS * SQUARES, |feature| feature ^ 1).unwrap();
        assert_eq!(permuted.feature_weights[0], network().feature_weights[1]);
    }
}
