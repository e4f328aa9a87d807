//! The file of a model.
//!
//! After eight bytes that name the format come numbers in a variable number of bytes: the structure, then the weights, in
//! which a run of zeros is a zero and its length. The last eight bytes are a checksum.

use crate::geometry::{Group, Shape, Symmetry};
use crate::model::{Layout, Model, STATES, Scale, Structure};

/// The name and version of the format.
const MAGIC: [u8; 8] = *b"emtee-l1";

/// Why bytes are not a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadModel {
    /// They do not begin like one.
    Format,
    /// The checksum is wrong, or something is missing.
    Damaged,
}

impl std::fmt::Display for BadModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            BadModel::Format => "it is not a file of 'emtee learn'",
            BadModel::Damaged => "the file is damaged or incomplete; learn it again",
        })
    }
}

impl std::error::Error for BadModel {}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, &byte| emtee::mix(sum ^ u64::from(byte)))
}

/// Numbers as bytes, seven bits each, the lowest first.
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn number(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    /// Small numbers of either sign take few bytes.
    pub(crate) fn signed(&mut self, n: i64) {
        self.number((n << 1 ^ n >> 63) as u64);
    }

    /// The bytes, with a checksum.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let sum = checksum(&self.0);
        self.0.extend(sum.to_le_bytes());
        self.0
    }
}

/// Reads what a [`Writer`] wrote.
pub(crate) struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    /// Checks the first bytes and the checksum.
    pub(crate) fn new(bytes: &'b [u8], magic: &[u8; 8]) -> Result<Reader<'b>, BadModel> {
        let rest = bytes.strip_prefix(magic).ok_or(BadModel::Format)?;
        let (_, sum) = rest.split_last_chunk().ok_or(BadModel::Damaged)?;
        let (body, rest) = (&bytes[..bytes.len() - 8], &rest[..rest.len() - 8]);
        if u64::from_le_bytes(*sum) == checksum(body) { Ok(Reader(rest)) } else { Err(BadModel::Damaged) }
    }

    pub(crate) fn number(&mut self) -> Result<u64, BadModel> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(BadModel::Damaged)?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(BadModel::Damaged)
    }

    pub(crate) fn signed(&mut self) -> Result<i64, BadModel> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A number of at most `most`.
    pub(crate) fn at_most(&mut self, most: usize) -> Result<usize, BadModel> {
        let number = self.number()? as usize;
        if number <= most { Ok(number) } else { Err(BadModel::Damaged) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Model {
    /// The bytes of the model's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer(MAGIC.to_vec());
        let structure = &self.layout.structure;
        w.number(self.game.len() as u64);
        self.game.bytes().for_each(|byte| w.number(byte.into()));
        w.number(structure.size.0 as u64);
        w.number(structure.size.1 as u64);
        w.number(structure.counters as u64);
        structure.dense.iter().for_each(|&state| w.number(state.into()));
        w.number(u64::from(structure.scale == Scale::Points));
        w.number(structure.stages.len() as u64);
        structure.stages.iter().for_each(|&first| w.number(first.into()));
        w.number(structure.turned.map_or(0, |turned| 1 + u64::from(turned.0)));
        w.number(structure.symmetries.len() as u64);
        structure.symmetries.iter().for_each(|symmetry| w.number(symmetry.0.into()));
        w.number(structure.groups.len() as u64);
        for group in &structure.groups {
            let (rows, columns) = match group.shape {
                Shape::Block(rows, columns) => (rows, columns),
                Shape::Line(length) => (0, length),
            };
            w.number(rows.into());
            w.number(columns.into());
            w.number(u64::from(group.shared) | u64::from(group.staged) << 1);
        }
        let mut weights = self.weights.iter().copied().peekable();
        while let Some(weight) = weights.next() {
            w.signed(weight.into());
            if weight == 0 {
                let mut more = 0;
                while weights.next_if_eq(&0).is_some() {
                    more += 1;
                }
                w.number(more);
            }
        }
        w.finish()
    }

    /// Reads the bytes of a model's file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, BadModel> {
        let mut r = Reader::new(bytes, &MAGIC)?;
        let name: Result<Vec<u8>, BadModel> =
            (0..r.at_most(200)?).map(|_| r.at_most(255).map(|byte| byte as u8)).collect();
        let game = name?;
        Self::read(&mut r, String::from_utf8(game).map_err(|_| BadModel::Damaged)?)
    }

    fn read(r: &mut Reader<'_>, game: String) -> Result<Model, BadModel> {
        let size = (r.at_most(64)?, r.at_most(64)?);
        let counters = r.at_most(crate::MAX_COUNTERS)?;
        if size.0 * size.1 > crate::MAX_CELLS {
            return Err(BadModel::Damaged);
        }
        let mut dense = [0; STATES];
        for state in &mut dense {
            *state = r.at_most(STATES - 1)? as u8;
        }
        let scale = if r.at_most(1)? == 1 { Scale::Points } else { Scale::Result };
        let stages = (0..r.at_most(16)?)
            .map(|_| r.at_most(crate::MAX_CELLS).map(|first| first as u16))
            .collect::<Result<_, _>>()?;
        let last_symmetry = if size.0 == size.1 { 7 } else { 3 };
        let turned = r.at_most(last_symmetry + 1)?.checked_sub(1).map(|symmetry| Symmetry(symmetry as u8));
        let symmetries = (0..r.at_most(8)?)
            .map(|_| r.at_most(last_symmetry).map(|symmetry| Symmetry(symmetry as u8)))
            .collect::<Result<_, _>>()?;
        let count = r.at_most(16)?;
        let group = |_| {
            let (rows, columns, flags) = (r.at_most(9)? as u8, r.at_most(9)? as u8, r.at_most(3)?);
            let shape = if rows == 0 { Shape::Line(columns) } else { Shape::Block(rows, columns) };
            let group = Group { shape, shared: flags & 1 != 0, staged: flags & 2 != 0 };
            if (1..=9).contains(&group.cells()) { Ok(group) } else { Err(BadModel::Damaged) }
        };
        let groups = (0..count).map(group).collect::<Result<Vec<Group>, BadModel>>()?;
        let structure = Structure { size, counters, dense, scale, stages, turned, symmetries, groups };
        let layout = Layout::new(structure).ok_or(BadModel::Damaged)?;
        let mut weights: Vec<i16> = Vec::with_capacity(layout.weights);
        while weights.len() < layout.weights {
            let weight = i16::try_from(r.signed()?).map_err(|_| BadModel::Damaged)?;
            weights.push(weight);
            if weight == 0 {
                let more = r.at_most(layout.weights - weights.len())?;
                weights.resize(weights.len() + more, 0);
            }
        }
        if r.is_empty() { Ok(Model { game, layout, weights: weights.into() }) } else { Err(BadModel::Damaged) }
    }
}
