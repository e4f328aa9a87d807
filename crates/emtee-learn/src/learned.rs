//! A model as an evaluator of a game.

use std::sync::Arc;

use emtee::{Evaluate, Game};

use crate::{Features, Model};

/// Evaluates the positions of a game with a model. It is a pure function of the position, so every algorithm stays exact.
///
/// `F` is the function that lists the features of a position, the same as when the model was learned.
#[derive(Clone, Debug)]
pub struct Learned<F> {
    model: Arc<Model>,
    features: F,
}

impl<F> Learned<F> {
    /// An evaluator with this model.
    pub fn new(model: Arc<Model>, features: F) -> Learned<F> {
        Learned { model, features }
    }
}

impl<G: Game, F: Fn(&G, &mut Features) + Sync> Evaluate<G> for Learned<F> {
    fn evaluate(&self, position: &G) -> i32 {
        let mut f = Features::new(position.turn());
        (self.features)(position, &mut f);
        self.model.evaluate(&f)
    }
}
