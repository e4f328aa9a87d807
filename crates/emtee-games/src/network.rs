//! A small network that judges positions: what both sides see of the board, added up, clipped and squared, in one number.
//!
//! A view is a sum of one row per piece. Positions that are judged one after the other differ in a few pieces, so a thread
//! keeps its views and adds only what has changed; the sums are integers and come out the same whatever was seen before.
//! `training/train.py` learns the weights and writes them as they are read here.
//!
//! The only unsafe code here calls the same function compiled for machines with AVX2, once the machine has said that it is
//! one. Both are tested to be equal.
#![allow(unsafe_code)]

/// A view's sum of 1.0, and a last weight of 1.0.
const ONE: i32 = 255;
const LAST: i32 = 64;

/// By how many pieces are left there are different last layers.
pub(crate) const STAGES: usize = 8;

/// As many numbers as a view has, where they can be loaded at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Row<const WIDTH: usize>([i16; WIDTH]);

/// The weights.
#[derive(Debug)]
pub(crate) struct Network<const WIDTH: usize> {
    rows: Vec<Row<WIDTH>>,
    bias: Row<WIDTH>,
    /// For the view of the side to move, and for that of the other.
    last: [[Row<WIDTH>; 2]; STAGES],
    last_bias: [i32; STAGES],
    /// How many points an output of 1.0 is worth.
    points: i32,
}

impl<const WIDTH: usize> Network<WIDTH> {
    /// Reads what the trainer wrote: one row per feature. `from` says which of them a feature has here.
    pub(crate) fn read(bytes: &[u8], features: usize, from: impl Fn(usize) -> usize) -> Option<Network<WIDTH>> {
        let (small, large) = bytes.split_at_checked(2 * WIDTH * (features + 1 + 2 * STAGES))?;
        let small: Vec<Row<WIDTH>> = small.chunks_exact(2 * WIDTH).map(row).collect();
        let large: Vec<i32> = large.chunks_exact(4).map(|bytes| i32::from_le_bytes(word(bytes))).collect();
        let [last_bias @ .., points] = <[i32; STAGES + 1]>::try_from(large).ok()?;
        let (rows, rest) = small.split_at(features);
        let (bias, last) = rest.split_first()?;
        let rows = (0..features).map(|feature| rows[from(feature)]).collect();
        let last = std::array::from_fn(|stage| [last[2 * stage], last[2 * stage + 1]]);
        Some(Network { rows, bias: *bias, last, last_bias, points })
    }

    /// What two views say, that of the side to move first.
    #[inline(always)]
    fn output(&self, stage: usize, views: [&Row<WIDTH>; 2]) -> i32 {
        let stage = stage.min(STAGES - 1);
        let mut sum = 0;
        for (view, last) in views.into_iter().zip(&self.last[stage]) {
            for at in 0..WIDTH {
                let clipped = (view.0[at] + self.bias.0[at]).clamp(0, ONE as i16);
                // The first product fits into 16 bits, which machines multiply many of at once.
                sum += i32::from(clipped * last.0[at]) * i32::from(clipped);
            }
        }
        let output = i64::from(sum / ONE + self.last_bias[stage]) * i64::from(self.points);
        (output / i64::from(ONE * LAST)) as i32
    }
}

fn row<const WIDTH: usize>(bytes: &[u8]) -> Row<WIDTH> {
    let mut row = Row([0; WIDTH]);
    for (number, bytes) in row.0.iter_mut().zip(bytes.chunks_exact(2)) {
        *number = i16::from_le_bytes(word(bytes));
    }
    row
}

fn word<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut word = [0; N];
    word.copy_from_slice(bytes);
    word
}

/// A view of the last position: its pieces, as one word per kind, and their sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<const WORDS: usize, const WIDTH: usize> {
    words: [u64; WORDS],
    sum: Row<WIDTH>,
}

impl<const WORDS: usize, const WIDTH: usize> View<WORDS, WIDTH> {
    /// Of an empty board.
    pub(crate) const EMPTY: Self = View { words: [0; WORDS], sum: Row([0; WIDTH]) };

    /// Looks at another position. Its pieces are numbered so that a bit of a word, turned, is one of `SQUARES` features.
    ///
    /// On the way from one sum to the other there may be more pieces than 16 bits have room for. The sums wrap, and come back.
    #[inline(always)]
    fn look<const SQUARES: usize>(&mut self, network: &Network<WIDTH>, words: &[u64; WORDS], turn: usize) {
        for (kind, (before, now)) in self.words.iter_mut().zip(words).enumerate() {
            let changed = *before ^ now;
            if changed == 0 {
                continue;
            }
            let rows = &network.rows[kind * SQUARES..][..SQUARES];
            let (mut come, mut gone) = (changed & now, changed & *before);
            while come != 0 {
                let row = &rows[(come.trailing_zeros() as usize ^ turn) % SQUARES];
                for at in 0..WIDTH {
                    self.sum.0[at] = self.sum.0[at].wrapping_add(row.0[at]);
                }
                come &= come - 1;
            }
            while gone != 0 {
                let row = &rows[(gone.trailing_zeros() as usize ^ turn) % SQUARES];
                for at in 0..WIDTH {
                    self.sum.0[at] = self.sum.0[at].wrapping_sub(row.0[at]);
                }
                gone &= gone - 1;
            }
            *before = *now;
        }
    }
}

/// How one side sees the position: its pieces, and what their squares are turned by.
pub(crate) struct Seen<'v, const WORDS: usize, const WIDTH: usize> {
    pub(crate) view: &'v mut View<WORDS, WIDTH>,
    pub(crate) words: [u64; WORDS],
    pub(crate) turn: usize,
}

/// What the network thinks of a position that both sides see so, the side to move first.
#[inline]
pub(crate) fn judge<const SQUARES: usize, const WORDS: usize, const WIDTH: usize>(
    network: &Network<WIDTH>,
    stage: usize,
    seen: [Seen<'_, WORDS, WIDTH>; 2],
) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the machine has all that the function is compiled for.
        return unsafe { judge_with_avx2::<SQUARES, WORDS, WIDTH>(network, stage, seen) };
    }
    judge_anywhere::<SQUARES, WORDS, WIDTH>(network, stage, seen)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn judge_with_avx2<const SQUARES: usize, const WORDS: usize, const WIDTH: usize>(
    network: &Network<WIDTH>,
    stage: usize,
    seen: [Seen<'_, WORDS, WIDTH>; 2],
) -> i32 {
    judge_anywhere::<SQUARES, WORDS, WIDTH>(network, stage, seen)
}

#[inline(always)]
fn judge_anywhere<const SQUARES: usize, const WORDS: usize, const WIDTH: usize>(
    network: &Network<WIDTH>,
    stage: usize,
    seen: [Seen<'_, WORDS, WIDTH>; 2],
) -> i32 {
    // Written out: a closure would be compiled for any machine, even here.
    let [own, other] = seen;
    own.view.look::<SQUARES>(network, &own.words, own.turn);
    other.view.look::<SQUARES>(network, &other.words, other.turn);
    network.output(stage, [&own.view.sum, &other.view.sum])
}

#[cfg(test)]
mod tests {
    use emtee::mix;

    use super::*;

    const SQUARES: usize = 8;
    const WORDS: usize = 3;
    const WIDTH: usize = 16;

    /// As the trainer would write it.
    fn written() -> Vec<u8> {
        let small = |at: usize| (mix(at as u64) % 201) as i16 - 100;
        let shorts = (0..WIDTH * (WORDS * SQUARES + 1 + 2 * STAGES)).map(small).flat_map(i16::to_le_bytes);
        let longs = (0..STAGES as i32).map(|stage| 1_000 * stage).chain([200]).flat_map(i32::to_le_bytes);
        shorts.chain(longs).collect()
    }

    fn network() -> Network<WIDTH> {
        Network::read(&written(), WORDS * SQUARES, |feature| feature).unwrap()
    }

    /// The definition: everything added up, for any board.
    fn plainly(network: &Network<WIDTH>, stage: usize, boards: [[u64; WORDS]; 2], turn: usize) -> i32 {
        let mut sum = 0;
        for (words, last) in boards.iter().zip(&network.last[stage]) {
            for at in 0..WIDTH {
                let pieces = (0..WORDS * SQUARES).filter(|bit| words[bit / SQUARES] >> (bit % SQUARES) & 1 == 1);
                let weights = pieces.map(|bit| network.rows[bit / SQUARES * SQUARES + ((bit % SQUARES) ^ turn)].0[at]);
                let clipped = i32::from(weights.sum::<i16>() + network.bias.0[at]).clamp(0, ONE);
                sum += clipped * clipped * i32::from(last.0[at]);
            }
        }
        (sum / ONE + network.last_bias[stage]) * network.points / (ONE * LAST)
    }

    #[test]
    fn what_was_seen_before_and_the_machine_make_no_difference() {
        let network = network();
        let mut views = [[View::EMPTY; 2]; 2];
        let mut values = std::collections::HashSet::new();
        for number in 0..2_000u64 {
            // Few pieces change from one to the next, sometimes all.
            let board = |side: u64| {
                std::array::from_fn(|kind| mix(number / 3 * 8 + side * 4 + kind as u64) & mix(number) & 0xff)
            };
            let (boards, turn, stage) = ([board(0), board(1)], 5, number as usize % STAGES);
            let told = views.each_mut().map(|[own, other]| {
                let [first, second] = boards;
                [Seen { view: own, words: first, turn }, Seen { view: other, words: second, turn }]
            });
            let [here, anywhere] = told;
            let value = judge::<SQUARES, WORDS, WIDTH>(&network, stage, here);
            assert_eq!(value, judge_anywhere::<SQUARES, WORDS, WIDTH>(&network, stage, anywhere));
            assert_eq!(value, plainly(&network, stage, boards, turn), "{number}");
            values.insert(value);
        }
        assert!(values.len() > 300, "{}", values.len());
    }

    #[test]
    fn only_a_whole_network_is_read() {
        let bytes = written();
        for wrong in [&bytes[..bytes.len() - 1], &bytes[4..], &[&bytes[..], &[0; 4]].concat(), &[]] {
            assert!(Network::<WIDTH>::read(wrong, WORDS * SQUARES, |feature| feature).is_none());
        }
        let turned = Network::<WIDTH>::read(&bytes, WORDS * SQUARES, |feature| feature ^ 1).unwrap();
        assert_eq!(turned.rows[0], network().rows[1]);
    }
}
