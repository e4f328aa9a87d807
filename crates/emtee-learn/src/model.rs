//! A learned evaluation: tables of weights for patterns of cells, and weights of counters.

use emtee::{Side, Value};

use crate::features::{Features, MAX_CELLS, MAX_COUNTERS, MAX_KINDS};
use crate::geometry::{Group, Symmetry};

/// The number of states that [`Features::cells`] can have.
pub(crate) const STATES: usize = 3 * MAX_KINDS as usize + 1;

/// Evaluation points per unit of the logistic function: an evaluation of 50 means odds of e to 1.
pub(crate) const UNIT: f32 = 50.0;

/// Weights are stored in units of 1 / 2⁵ of a point.
pub(crate) const SHIFT: u32 = 5;

/// What an evaluation predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// The result, as a probability.
    Result,
    /// The points with which the game ends.
    Points,
}

/// Everything about a model but its weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Structure {
    /// Rows and columns.
    pub(crate) size: (usize, usize),
    pub(crate) counters: usize,
    /// The number of each state among those that occur; 0 is empty.
    pub(crate) dense: [u8; STATES],
    pub(crate) scale: Scale,
    /// The numbers of occupied cells at which stages begin, but for the first.
    pub(crate) stages: Vec<u16>,
    /// How the board is turned if the second side is to move. `None`: the sides have weights of their own.
    pub(crate) turned: Option<Symmetry>,
    pub(crate) symmetries: Vec<Symmetry>,
    pub(crate) groups: Vec<Group>,
}

/// The features of a position as a model uses them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(crate) cells: [u8; MAX_CELLS],
    pub(crate) counters: [i32; MAX_COUNTERS],
    pub(crate) stage: usize,
}

impl Structure {
    /// The number of states that occur.
    pub(crate) fn states(&self) -> usize {
        1 + usize::from(self.dense.iter().copied().max().unwrap_or(0))
    }

    /// The number of stages with weights of their own, and of sides if they have.
    pub(crate) fn all_stages(&self) -> usize {
        (self.stages.len() + 1) * if self.turned.is_some() { 1 } else { 2 }
    }
}

/// Where the weights of one length of pattern are.
#[derive(Clone, Debug)]
struct Places<const K: usize> {
    /// The cells of each place, where its table begins, and the size of the table of a stage.
    places: Vec<([u8; K], u32, u32)>,
}

/// The places of the patterns, and where the weights of each are. The weights are a list of numbers: one per stage, then one
/// per stage and counter, then those of the groups.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) structure: Structure,
    /// The cell onto which each cell is mapped, for each side to move.
    turned: [Box<[u8; MAX_CELLS]>; 2],
    states: u32,
    n1: Places<1>,
    n2: Places<2>,
    n3: Places<3>,
    n4: Places<4>,
    n5: Places<5>,
    n6: Places<6>,
    n7: Places<7>,
    n8: Places<8>,
    n9: Places<9>,
    pub(crate) weights: usize,
    /// The number of patterns that are looked up in a position.
    pub(crate) lookups: usize,
}

/// The most weights of a model.
pub(crate) const MAX_WEIGHTS: usize = 4 << 20;

impl Layout {
    /// `None` if there are too many weights.
    pub(crate) fn new(structure: Structure) -> Option<Layout> {
        let size = structure.size;
        let identity = Symmetry::IDENTITY;
        let turned = [identity, structure.turned.unwrap_or(identity)].map(|symmetry| {
            let mut map = Box::new([0; MAX_CELLS]);
            map[..size.0 * size.1].copy_from_slice(&symmetry.map(size));
            map
        });
        let (states, stages) = (structure.states(), structure.all_stages());
        let mut layout = Layout {
            turned,
            states: states as u32,
            n1: Places { places: Vec::new() },
            n2: Places { places: Vec::new() },
            n3: Places { places: Vec::new() },
            n4: Places { places: Vec::new() },
            n5: Places { places: Vec::new() },
            n6: Places { places: Vec::new() },
            n7: Places { places: Vec::new() },
            n8: Places { places: Vec::new() },
            n9: Places { places: Vec::new() },
            weights: stages * (1 + structure.counters),
            lookups: 0,
            structure,
        };
        for group in layout.structure.groups.clone() {
            let length = group.cells();
            let one = states.checked_pow(length as u32)?;
            let (tables, places) = group.places(size, &layout.structure.symmetries);
            let per_table = one.checked_mul(if group.staged { stages } else { 1 })?;
            if layout.weights.checked_add(per_table.checked_mul(tables)?)? > MAX_WEIGHTS {
                return None;
            }
            for (table, cells) in places {
                let first = (layout.weights + table * per_table) as u32;
                let stride = if group.staged { one as u32 } else { 0 };
                layout.add(&cells, first, stride)?;
            }
            layout.weights += tables * per_table;
        }
        Some(layout)
    }

    fn add(&mut self, cells: &[u8], first: u32, stride: u32) -> Option<()> {
        fn to<const K: usize>(places: &mut Places<K>, cells: &[u8], first: u32, stride: u32) -> Option<()> {
            places.places.push((cells.try_into().ok()?, first, stride));
            Some(())
        }
        self.lookups += 1;
        match cells.len() {
            1 => to(&mut self.n1, cells, first, stride),
            2 => to(&mut self.n2, cells, first, stride),
            3 => to(&mut self.n3, cells, first, stride),
            4 => to(&mut self.n4, cells, first, stride),
            5 => to(&mut self.n5, cells, first, stride),
            6 => to(&mut self.n6, cells, first, stride),
            7 => to(&mut self.n7, cells, first, stride),
            8 => to(&mut self.n8, cells, first, stride),
            9 => to(&mut self.n9, cells, first, stride),
            _ => None,
        }
    }

    /// The input for these features. Features of another board give any input.
    #[inline]
    pub(crate) fn input(&self, f: &Features) -> Input {
        let side = f.turn().index();
        let mut cells = [0; MAX_CELLS];
        let mut occupied = 0;
        for (&state, &to) in f.cells().iter().zip(self.turned[side].iter()) {
            let dense = self.structure.dense[usize::from(state).min(STATES - 1)];
            cells[usize::from(to)] = dense;
            occupied += u16::from(dense != 0);
        }
        let mut counters = [0; MAX_COUNTERS];
        counters[..f.counters().len()].copy_from_slice(f.counters());
        let stages = &self.structure.stages;
        let mut stage = stages.iter().filter(|&&first| occupied >= first).count();
        if self.structure.turned.is_none() && f.turn() == Side::Second {
            stage += stages.len() + 1;
        }
        Input { cells, counters, stage }
    }

    /// Calls `visit` with the number of each weight that is looked up for this input.
    #[inline(always)]
    pub(crate) fn each(&self, input: &Input, mut visit: impl FnMut(usize)) {
        #[inline(always)]
        fn places<const K: usize>(of: &Places<K>, states: u32, input: &Input, visit: &mut impl FnMut(usize)) {
            let stage = input.stage as u32;
            for (cells, first, stride) in &of.places {
                let mut index = 0;
                for &cell in cells {
                    index = index * states + u32::from(input.cells[usize::from(cell)]);
                }
                visit((first + stride * stage + index) as usize);
            }
        }
        visit(input.stage);
        places(&self.n1, self.states, input, &mut visit);
        places(&self.n2, self.states, input, &mut visit);
        places(&self.n3, self.states, input, &mut visit);
        places(&self.n4, self.states, input, &mut visit);
        places(&self.n5, self.states, input, &mut visit);
        places(&self.n6, self.states, input, &mut visit);
        places(&self.n7, self.states, input, &mut visit);
        places(&self.n8, self.states, input, &mut visit);
        places(&self.n9, self.states, input, &mut visit);
    }

    /// The number of the weight of a counter.
    #[inline(always)]
    pub(crate) fn counter(&self, stage: usize, counter: usize) -> usize {
        self.structure.all_stages() + stage * self.structure.counters + counter
    }
}

/// A learned evaluation of a game's positions.
#[derive(Clone, Debug)]
pub struct Model {
    /// The name of the game that it was learned for.
    pub(crate) game: String,
    pub(crate) layout: Layout,
    pub(crate) weights: Box<[i16]>,
}

impl Model {
    /// The evaluation of a position with these features, for the side to move.
    #[inline]
    pub fn evaluate(&self, f: &Features) -> i32 {
        let input = self.layout.input(f);
        let mut sum = 0;
        self.layout.each(&input, |index| sum += i32::from(self.weights[index]));
        for counter in 0..self.layout.structure.counters {
            let weight = i32::from(self.weights[self.layout.counter(input.stage, counter)]);
            sum = sum.saturating_add(weight.saturating_mul(input.counters[counter]));
        }
        const HALF: i32 = 1 << (SHIFT - 1);
        (sum.saturating_add(HALF) >> SHIFT).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// The name of the game that it was learned for.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The number of weights that are not zero, and the number of patterns looked up per position.
    pub fn measure(&self) -> (usize, usize) {
        (self.weights.iter().filter(|&&weight| weight != 0).count(), self.layout.lookups)
    }

    /// Whether these features are of the board that the model was learned for.
    pub fn fits(&self, f: &Features) -> bool {
        let structure = &self.layout.structure;
        !f.is_bad() && f.size() == structure.size && f.counters().len() == structure.counters
    }
}

/// The greatest evaluation.
const MAX_EVALUATION: i32 = Value::MAX_SCORE - 1_000;
