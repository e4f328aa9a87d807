//! The principal variation, proved move by move.

use alloc::vec::Vec;

use crate::game::{Evaluate, Game, Ranked};
use crate::node::{Worker, child};
use crate::observer::Observer;
use crate::value::{Gamma, Value, Window};

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// The principal variation from a root whose value and best move are known, as far as it can be proved within the limits.
    ///
    /// A null window has no principal variation, and the table loses entries. So each position of the line is searched by MT: a
    /// position of value v has a move that fails high at v − ε, and v determines the value of the position after it. The table
    /// answers nearly all of this.
    pub(crate) fn pv(&mut self, root: &G, depth: u8, value: Value, best: Ranked<G::Move>) -> Vec<G::Move> {
        if self.setup.is_selective {
            return self.table_variation(root, depth, best);
        }
        let line = self.prove_variation(root, depth, value, best);
        if let Some(path) = &mut self.own.path {
            path.return_to_root();
        }
        line
    }

    fn prove_variation(&mut self, root: &G, depth: u8, value: Value, best: Ranked<G::Move>) -> Vec<G::Move> {
        let mut line = Vec::with_capacity(usize::from(depth));
        let (mut n, mut depth, mut value, mut best) = (root.clone(), depth, value, best);
        loop {
            line.push(best.m);
            let (c, edge) = child(&n, best, true);
            // to_parent(f(c)) = v exactly if f(c) lies inside this window. It holds one value, or the line ends here.
            let below = edge.window_to_child(Window::new(value - 1, value + 1));
            depth -= 1;
            if depth == 0 || c.position.outcome().is_some() {
                return line;
            }
            let v = if below.alpha() + 1 == below.beta() - 1 { below.alpha() + 1 } else { return line };
            self.setup.horizon = depth;
            if let Some(path) = &mut self.own.path {
                path.advance_root(&n);
            }
            self.own.moves.list.clear();
            self.own.root_move = None;
            match self.mt(&c, depth, Gamma::below(v)) {
                Ok(g) if g == v => (),
                _ => return line,
            }
            let Some(next) = self.own.root_move else { return line };
            (n, value, best) = (c.position, v, next);
        }
    }

    /// The line of the table's best moves, for selective search, whose lines are not proved.
    fn table_variation(&mut self, root: &G, depth: u8, best: Ranked<G::Move>) -> Vec<G::Move> {
        let mut line = Vec::with_capacity(usize::from(depth));
        let mut keys = Vec::with_capacity(usize::from(depth));
        let (mut n, mut m) = (root.clone(), best.m);
        loop {
            line.push(m);
            keys.push(n.key());
            n = n.play(m);
            let key = n.key();
            if line.len() >= usize::from(depth) || keys.contains(&key) || n.outcome().is_some() {
                return line;
            }
            let best = self.setup.table.retrieve(key, 0).best;
            self.own.moves.list.clear();
            n.moves(&mut self.own.moves);
            let found = self.own.moves.iter().enumerate().find(|&(index, m)| n.code(m, index) == best);
            let Some((_, next)) = found else { return line };
            m = next;
        }
    }
}
