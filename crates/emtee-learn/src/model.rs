//! A learned evaluation: tables of weights for patterns of cells, and weights of counters.

use emtee::{Side, Value};

use crate::features::{Features, MAX_CELLS, MAX_COUNTERS, MAX_KINDS};
use crate::geometry::{Group, Symmetry};

/// The number of states that [`Features::cells`] can have.
pub(crate) const STATES: usize = 3 * MAX_KINDS as usize + 1;

/// Evaluation points per unit of the logistic function: an evaluation of 20 means odds of e to 1. Finer steps would only add
/// passes to MTD-f.
pub(crate) const UNIT: f32 = 20.0;

/// Weights are stored in units of 1 / 2^shift of a point, with a shift of at most this.
pub(crate) const MAX_SHIFT: u32 = 7;

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
    /// Weights are stored in units of 1 / 2^shift of a point.
    pub(crate) shift: u32,
    /// The numbers of occupied cells at which stages begin, but for the first.
    pub(crate) stages: Vec<u16>,
    /// How the board is turned if the second side is to move. `None`: the sides have weights of their own.
    pub(crate) turned: Option<Symmetry>,
    pub(crate) symmetries: Vec<Symmetry>,
    pub(crate) groups: Vec<Group>,
}

/// The features of a position as a model uses them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'f> {
    /// The content of the cells, turned for the side to move.
    pub(crate) cells: &'f [u8; MAX_CELLS],
    pub(crate) counters: &'f [i32; MAX_COUNTERS],
    pub(crate) stage: usize,
}

impl Structure {
    /// The number of states that occur.
    pub(crate) fn states(&self) -> usize {
        1 + usize::from(self.dense.iter().copied().max().unwrap_or(0))
    }

    /// Whether each weight belongs to the same pattern in both: they may differ in where stages begin, and in the unit.
    pub(crate) fn has_patterns_of(&self, other: &Structure) -> bool {
        let at =
            |structure: &Structure| Structure { stages: other.stages.clone(), shift: other.shift, ..structure.clone() };
        self.stages.len() == other.stages.len() && at(self) == *other
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
    /// Whether features of this side to move are used as they are, without turning the board and renumbering the states.
    plain: [bool; 2],
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
        let in_order = structure.dense[..states].iter().enumerate().all(|(state, &dense)| state == usize::from(dense));
        let plain = [true, structure.turned.unwrap_or(identity) == identity].map(|same| same && in_order);
        let mut layout = Layout {
            turned,
            plain,
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
            let places = group.places(size, &layout.structure.symmetries);
            let tables = places.tables.len();
            let per_table = one.checked_mul(if group.staged { stages } else { 1 })?;
            if layout.weights.checked_add(per_table.checked_mul(tables)?)? > MAX_WEIGHTS {
                return None;
            }
            for (table, cells) in places.places {
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

    /// The input for these features; `scratch` has room for the turned board. Features of another board give any input.
    #[inline]
    pub(crate) fn input<'f>(&self, f: &'f Features, scratch: &'f mut [u8; MAX_CELLS]) -> Input<'f> {
        let side = f.turn().index();
        let (known, states) = (f.cells(), self.states as u8);
        let mut occupied = 0;
        let cells = if self.plain[side] && known.iter().fold(0, |most, &state| most.max(state)) < states {
            occupied += known.iter().map(|&state| u16::from(state != 0)).sum::<u16>();
            f.all_cells()
        } else {
            for (&state, &to) in known.iter().zip(self.turned[side].iter()) {
                let dense = self.structure.dense[usize::from(state).min(STATES - 1)];
                scratch[usize::from(to)] = dense;
                occupied += u16::from(dense != 0);
            }
            scratch
        };
        let stages = &self.structure.stages;
        let mut stage = stages.iter().filter(|&&first| occupied >= first).count();
        if self.structure.turned.is_none() && f.turn() == Side::Second {
            stage += stages.len() + 1;
        }
        Input { cells, counters: f.all_counters(), stage }
    }

    /// Calls `visit` with the number of each weight that is looked up for this input.
    #[inline(always)]
    pub(crate) fn each(&self, input: &Input<'_>, mut visit: impl FnMut(usize)) {
        #[inline(always)]
        fn places<const K: usize>(of: &Places<K>, states: u32, input: &Input<'_>, visit: &mut impl FnMut(usize)) {
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

    /// Makes weights equal that symmetries exchange: then symmetric positions have the same evaluation, to the last bit. A game
    /// whose [key](emtee::Game::key) is the same for mirror images relies on that.
    pub(crate) fn symmetrise(&self, weights: &mut [f32]) {
        let (states, stages) = (self.structure.states(), self.structure.all_stages());
        let mut first = stages * (1 + self.structure.counters);
        for group in &self.structure.groups {
            let one = states.pow(group.cells() as u32);
            let per_table = one * if group.staged { stages } else { 1 };
            for orders in group.places(self.structure.size, &self.structure.symmetries).tables {
                for stage in weights[first..first + per_table].chunks_mut(one) {
                    average(stage, states, &orders);
                }
                first += per_table;
            }
        }
    }

    /// The number of the weight of a counter.
    #[inline(always)]
    pub(crate) fn counter(&self, stage: usize, counter: usize) -> usize {
        self.structure.all_stages() + stage * self.structure.counters + counter
    }
}

/// Replaces the weights of equivalent indices by their mean.
fn average(weights: &mut [f32], states: usize, orders: &[Vec<usize>]) {
    if orders.len() < 2 {
        return;
    }
    for index in 0..weights.len() {
        let digit = |position: usize| index / states.pow((orders[0].len() - 1 - position) as u32) % states;
        let same: Vec<usize> =
            orders.iter().map(|order| order.iter().fold(0, |index, &at| index * states + digit(at))).collect();
        if same.iter().all(|&other| other >= index) {
            let mean = same.iter().map(|&other| weights[other]).sum::<f32>() / same.len() as f32;
            same.iter().for_each(|&other| weights[other] = mean);
        }
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
        let mut scratch = [0; MAX_CELLS];
        let input = self.layout.input(f, &mut scratch);
        let mut sum = 0;
        self.layout.each(&input, |index| sum += i32::from(self.weights[index]));
        for counter in 0..self.layout.structure.counters {
            let weight = i32::from(self.weights[self.layout.counter(input.stage, counter)]);
            sum = sum.saturating_add(weight.saturating_mul(input.counters[counter]));
        }
        let shift = self.layout.structure.shift;
        (sum.saturating_add((1 << shift) / 2) >> shift).clamp(-MAX_EVALUATION, MAX_EVALUATION)
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
