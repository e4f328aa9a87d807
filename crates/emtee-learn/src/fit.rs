//! Fits the weights of a model to positions with targets, by stochastic gradient descent.

use emtee::{Side, mix};

use crate::geometry::Symmetry;
use crate::model::{Layout, Model, Scale, UNIT};
use crate::{Features, MAX_CELLS, MAX_COUNTERS};

/// Positions, and what their evaluation should predict.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    cells: usize,
    counters: usize,
    /// The content of the cells: features, not yet turned.
    content: Vec<u8>,
    counted: Vec<i16>,
    /// Whether the second side is to move.
    second: Vec<bool>,
    /// For the side to move: a probability, or points.
    target: Vec<f32>,
    /// The number of the game, for choosing those that are held out.
    game: Vec<u32>,
}

impl Samples {
    pub(crate) fn new(cells: usize, counters: usize) -> Samples {
        Samples { cells, counters, ..Samples::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.target.len()
    }

    pub(crate) fn push(&mut self, f: &Features, target: f32, game: u32) {
        self.content.extend(f.cells());
        let bounded = |&n: &i32| n.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        self.counted.extend(f.counters().iter().map(bounded));
        self.second.push(f.turn() == Side::Second);
        self.target.push(target);
        self.game.push(game);
    }

    /// The content of the cells of a position.
    pub(crate) fn content(&self, sample: usize) -> &[u8] {
        &self.content[sample * self.cells..][..self.cells]
    }

    /// The greatest absolute target.
    pub(crate) fn greatest(&self) -> f32 {
        self.target.iter().fold(0.0, |most, target| most.max(target.abs()))
    }

    fn is_held_out(&self, sample: usize) -> bool {
        mix(u64::from(self.game[sample]) ^ 0x5eed).is_multiple_of(HELD_OUT)
    }
}

/// One game in this many is held out.
const HELD_OUT: u64 = 10;

/// A model while it is fitted.
pub(crate) struct Fit {
    pub(crate) layout: Layout,
    weights: Vec<f32>,
    /// Whether the first weights were those of a model.
    warm: bool,
    /// The sums of squared gradients (AdaGrad).
    squares: Vec<f32>,
    /// For each symmetry of the game, the cell onto which each cell is mapped.
    maps: Vec<Vec<u8>>,
    /// The scale of errors: 1, or the spread of points.
    spread: f32,
    rate: f32,
    /// The weights of the last prediction, and its stage.
    found: Vec<u32>,
    stage: usize,
}

/// The size of the first steps, as a fraction of what would correct the error of one position.
const RATE: f32 = 1.5;

impl Fit {
    /// All weights are zero, or those of `from` if it has the same patterns. `spread` is the scale of points, if the game ends
    /// with points.
    pub(crate) fn new(layout: Layout, from: Option<&Model>, spread: f32) -> Fit {
        let from = from.filter(|model| model.layout.structure.has_patterns_of(&layout.structure));
        let weights = match from {
            Some(model) => {
                let unit = Fit::unit(&model.layout, spread);
                model.weights.iter().map(|&weight| f32::from(weight) / unit).collect()
            }
            None => vec![0.0; layout.weights],
        };
        let warm = from.is_some();
        let maps = layout.structure.symmetries.iter().map(|symmetry| symmetry.map(layout.structure.size)).collect();
        let rate = RATE / (layout.lookups + 1 + layout.structure.counters) as f32;
        Fit {
            squares: vec![1.0; weights.len()],
            weights,
            warm,
            maps,
            spread,
            rate,
            found: Vec::new(),
            stage: 0,
            layout,
        }
    }

    /// Whether the fit did not begin with zeros.
    pub(crate) fn is_warm(&self) -> bool {
        self.warm
    }

    /// The stored weight that stands for 1.
    fn unit(layout: &Layout, spread: f32) -> f32 {
        (1 << layout.structure.shift) as f32 * if layout.structure.scale == Scale::Points { spread } else { UNIT }
    }

    /// The features of a sample, mirrored by one of the symmetries.
    fn features(&self, samples: &Samples, sample: usize, symmetry: usize) -> Features {
        let mut f = Features::new(if samples.second[sample] { Side::Second } else { Side::First });
        let mut counters = [0; MAX_COUNTERS];
        for (to, from) in counters.iter_mut().zip(&samples.counted[sample * samples.counters..][..samples.counters]) {
            *to = (*from).into();
        }
        let mut cells = [0; MAX_CELLS];
        for (&state, &to) in samples.content(sample).iter().zip(&self.maps[symmetry]) {
            cells[usize::from(to)] = state;
        }
        f.set_all(self.layout.structure.size, &cells[..samples.cells], &counters[..samples.counters]);
        f
    }

    /// The prediction for these features, and in `found` the weights it is made of.
    fn predict(&mut self, f: &Features) -> f32 {
        let (found, weights) = (&mut self.found, &self.weights);
        found.clear();
        let (mut sum, mut scratch) = (0.0, [0; MAX_CELLS]);
        let input = self.layout.input(f, &mut scratch);
        self.stage = input.stage;
        self.layout.each(&input, |index| {
            sum += weights[index];
            found.push(index as u32);
        });
        for counter in 0..self.layout.structure.counters {
            sum += weights[self.layout.counter(input.stage, counter)] * input.counters[counter] as f32;
        }
        if self.layout.structure.scale == Scale::Points { sum } else { sigmoid(sum) }
    }

    fn target(&self, samples: &Samples, sample: usize) -> f32 {
        let target = samples.target[sample];
        if self.layout.structure.scale == Scale::Points { target / self.spread } else { target }
    }

    /// One pass over the positions in random order, but for those that are held out if `hold_out`. At most `most` positions.
    pub(crate) fn epoch(&mut self, samples: &Samples, seed: u64, hold_out: bool, most: usize) -> u64 {
        let mut done = 0;
        for turn in 0..samples.len().min(most) as u64 {
            // A random sample each time: shuffling a list of this length costs more.
            let random = mix(mix(seed) ^ turn);
            let sample = (random % samples.len() as u64) as usize;
            if hold_out && samples.is_held_out(sample) {
                continue;
            }
            let symmetry = (random >> 40) as usize % self.maps.len();
            let f = self.features(samples, sample, symmetry);
            let error = (self.predict(&f) - self.target(samples, sample)).clamp(-2.0, 2.0);
            self.step(f.counters(), error);
            done += 1;
        }
        done
    }

    /// Corrects the weights of the last prediction.
    fn step(&mut self, counters: &[i32], error: f32) {
        let square = error * error;
        for &index in &self.found {
            let index = index as usize;
            self.squares[index] += square;
            self.weights[index] -= self.rate * error / self.squares[index].sqrt();
        }
        for (counter, &count) in counters.iter().enumerate() {
            let gradient = error * count as f32;
            let index = self.layout.counter(self.stage, counter);
            self.squares[index] += gradient * gradient;
            self.weights[index] -= COUNTER_RATE * gradient / self.squares[index].sqrt();
        }
    }

    /// The mean error of the positions held out: the logarithmic loss, or the squared error of points. Every `nth` is used.
    pub(crate) fn held_out(&mut self, samples: &Samples, nth: usize) -> f64 {
        let (mut sum, mut count) = (0.0, 0);
        for sample in (0..samples.len()).filter(|&sample| samples.is_held_out(sample)).step_by(nth.max(1)) {
            let f = self.features(samples, sample, 0);
            let (p, t) = (self.predict(&f), self.target(samples, sample));
            sum += f64::from(if self.layout.structure.scale == Scale::Points {
                (p - t) * (p - t)
            } else {
                let p = p.clamp(1e-4, 1.0 - 1e-4);
                -t * p.ln() - (1.0 - t) * (1.0 - p).ln()
            });
            count += 1;
        }
        sum / f64::from(count.max(1))
    }

    /// The model with these weights, rounded.
    pub(crate) fn model(&self, game: &str) -> Model {
        let unit = Fit::unit(&self.layout, self.spread);
        let mut weights = self.weights.clone();
        self.layout.symmetrise(&mut weights);
        let rounded = |weight: &f32| (weight * unit).round().clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        Model { game: game.to_owned(), weights: weights.iter().map(rounded).collect(), layout: self.layout.clone() }
    }
}

/// The size of the first steps for counters.
const COUNTER_RATE: f32 = 0.1;

pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// How the second side may see the board: not as the first does (`None`), or mirrored or rotated by one of these symmetries.
pub(crate) fn candidates(symmetries: &[Symmetry], size: (usize, usize)) -> Vec<Option<Symmetry>> {
    let maps: Vec<Vec<u8>> = symmetries.iter().map(|symmetry| symmetry.map(size)).collect();
    let after =
        |first: &[u8], second: &[u8]| -> Vec<u8> { first.iter().map(|&cell| second[usize::from(cell)]).collect() };
    let mut seen: Vec<Vec<u8>> = Vec::new();
    let mut different = vec![None];
    for symmetry in Symmetry::all(size) {
        let map = symmetry.map(size);
        // Symmetric positions must stay symmetric when they are turned: map∘g = h∘map for some h.
        let keeps = maps.iter().all(|own| maps.iter().any(|other| after(own, &map) == after(&map, other)));
        if keeps && !seen.contains(&map) {
            // Those that differ from it by a symmetry of the game are equivalent.
            seen.extend(maps.iter().map(|own| after(own, &map)));
            different.push(Some(symmetry));
        }
    }
    different
}
