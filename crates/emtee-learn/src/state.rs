//! The state of learning as bytes, so that a stopped run can continue.

use std::sync::Arc;

use emtee::Game;

use crate::file::{BadModel, Reader, Writer};
use crate::learner::{Generation, Learner, Task};
use crate::model::Model;
use crate::play::{RANDOM, Record};

/// The name and version of the format.
const MAGIC: [u8; 8] = *b"emtee-s1";

impl Task {
    fn write(&self, w: &mut Writer) {
        text(w, &self.game);
        w.number(self.seed);
        w.number(self.work);
    }
}

fn text(w: &mut Writer, text: &str) {
    w.number(text.len() as u64);
    text.bytes().for_each(|byte| w.number(byte.into()));
}

fn read_text(r: &mut Reader<'_>) -> Result<String, BadModel> {
    let bytes: Result<Vec<u8>, BadModel> =
        (0..r.at_most(1 << 24)?).map(|_| r.at_most(255).map(|byte| byte as u8)).collect();
    String::from_utf8(bytes?).map_err(|_| BadModel::Damaged)
}

impl<G: Game> Learner<G> {
    /// The task, the games that are kept, the model and the rows.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer(MAGIC.to_vec());
        self.task.write(&mut w);
        [self.spent, self.games, u64::from(self.points), self.branching, self.length].map(|n| w.number(n));
        w.number(self.rows.len() as u64);
        for row in &self.rows {
            w.number(row.games);
            w.number(row.positions);
            w.number(row.match_games);
            w.number(u64::from(row.accepted) | u64::from(row.elo.is_some()) << 1);
            let [low, elo, high] = row.elo.unwrap_or_default();
            [row.error, low, elo, high, row.total_elo, row.done].map(|n| w.number(n.to_bits()));
            text(&mut w, &row.patterns);
        }
        w.number(self.records.len() as u64);
        for record in &self.records {
            w.number(record.generation.into());
            w.number(record.result.to_bits().into());
            w.number(record.moves.len() as u64);
            for &(m, value) in &record.moves {
                w.number(m.into());
                w.number(u64::from(value == RANDOM));
                if value != RANDOM {
                    w.signed(value.into());
                }
            }
        }
        let model = self.model.as_ref().map_or(Vec::new(), |model| model.to_bytes());
        w.number(model.len() as u64);
        model.iter().for_each(|&byte| w.number(byte.into()));
        w.finish()
    }

    /// Continues with what [`to_bytes`](Learner::to_bytes) gave. `Ok(false)`: it belongs to another task.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<bool, BadModel> {
        let mut r = Reader::new(bytes, &MAGIC)?;
        let task = Task { game: read_text(&mut r)?, seed: r.number()?, work: r.number()? };
        if task != self.task {
            return Ok(false);
        }
        let (spent, games, points, branching, length) =
            (r.number()?, r.number()?, r.number()? == 1, r.number()?, r.number()?);
        let mut rows = Vec::new();
        for number in 0..r.at_most(10_000)? {
            let (games, positions, match_games, flags) = (r.number()?, r.number()?, r.number()?, r.number()?);
            let mut real = || r.number().map(f64::from_bits);
            let (error, low, elo, high, total_elo, done) = (real()?, real()?, real()?, real()?, real()?, real()?);
            rows.push(Generation {
                number: number as u32,
                games,
                positions,
                error,
                elo: (flags & 2 != 0).then_some([low, elo, high]),
                match_games,
                accepted: flags & 1 != 0,
                total_elo,
                done,
                patterns: read_text(&mut r)?,
            });
        }
        let mut records = Vec::new();
        for _ in 0..r.number()? {
            let generation = r.number()? as u32;
            let result = f32::from_bits(r.number()? as u32);
            let mut moves = Vec::new();
            for _ in 0..r.number()? {
                let m = r.at_most(u16::MAX.into())? as u16;
                moves.push((m, if r.number()? == 1 { RANDOM } else { r.signed()? as i32 }));
            }
            records.push(Record { generation, moves, result });
        }
        let length_of_model = r.at_most(1 << 26)?;
        let model: Result<Vec<u8>, BadModel> =
            (0..length_of_model).map(|_| r.at_most(255).map(|byte| byte as u8)).collect();
        let model = model?;
        self.model = if model.is_empty() { None } else { Some(Arc::new(Model::from_bytes(&model)?)) };
        (self.spent, self.games, self.points, self.branching, self.length) = (spent, games, points, branching, length);
        (self.rows, self.records) = (rows, records);
        Ok(true)
    }
}
