//! What selective search leaves out, and what it searches less or more deeply: each decision by itself.
//!
//! The other searches of this library look at every line to the same depth, and their values are proofs. Players look
//! further where it matters, and see more for it. The price is that a value is no longer a function of position and depth:
//! it depends on γ and on what was searched before. Wins and losses stay proofs, since no move is left out before one is
//! known that does not lose, and no cut by an estimate returns a win. The lab never uses it.

use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::memory::history;
use crate::memory::table::NO_MOVE;
use crate::node::{Cursor, Edge, Node, Place, Worker};
use crate::observer::{End, Observer};
use crate::run::MOST_PLIES;
use crate::value::{Gamma, Value, Window};

/// Cuts by margins are made at most so far from the horizon.
const NEAR: u8 = 7;
/// Moves that lose an exchange are left out at most so far from it.
const VERY_NEAR: u8 = 2;
/// The least depth at which it is worth asking whether a move is better than all others.
const SINGULAR: u8 = 8;

/// What is left out at a node depends on this.
#[derive(Clone, Copy)]
pub(crate) struct View {
    /// The static evaluation; nothing where the position is forced.
    pub(super) estimate: Option<Value>,
    /// Whether it has risen since the side moved last.
    improving: bool,
    /// Whether nothing is left out: at the root, on the line that is expected, and where the value itself is wanted.
    whole: bool,
    /// Whether the table's move is better than all others.
    singular: bool,
}

impl View {
    pub(super) const WHOLE: View = View { estimate: None, improving: false, whole: true, singular: false };
}

/// What to do about a move.
pub(super) enum Treatment {
    /// Search it, so many plies less deeply at first.
    Search { plies_less: u8 },
    /// It could not reach more than this.
    LeaveOut { at_most: Value },
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// How deep a position is searched: one ply deeper where it leaves no choice, and no deeper than lines can be followed.
    #[inline(always)]
    pub(super) fn extended(&self, n: &Place<G>, depth: u8, ply: u8) -> u8 {
        let deepened = ply > 0 && ply < self.setup.horizon.saturating_mul(2);
        let depth = depth + u8::from(deepened && self.setup.selective.extensions && n.position.forced());
        if ply >= MOST_PLIES { 0 } else { depth }
    }

    /// What the node looks like.
    #[inline(always)]
    pub(super) fn view(&mut self, n: &Place<G>, node: &Node) -> View {
        let here = usize::from(node.ply);
        let estimate = if n.position.forced() { None } else { Some(self.estimate(&n.position, n.key)) };
        let before = if here >= 2 { self.own.stack[here - 2].estimate } else { None };
        let improving = estimate.is_some() && before.is_none_or(|before| estimate > Some(before));
        let ply = &mut self.own.stack[here];
        ply.estimate = estimate;
        let whole = here == 0 || ply.main || !node.window.is_null();
        View { estimate, improving, whole, singular: false }
    }

    /// Ends a visit early where the answer can be foreseen, or decides how deep to go.
    #[inline(always)]
    pub(super) fn cut_short<const SHARED: bool>(
        &mut self,
        n: &Place<G>,
        node: &mut Node,
        view: &mut View,
    ) -> Result<Option<Value>, Stopped> {
        let by = self.setup.selective;
        if !view.whole
            && !node.window.low.bound().is_proven()
            && let Some(estimate) = view.estimate
        {
            if let Some(g) = self.cut_by_estimate::<SHARED>(n, node, *view, estimate)? {
                return Ok(Some(g));
            }
            if by.probcut
                && let Some(g) = self.predicted::<SHARED>(n, node, estimate)?
            {
                return Ok(Some(g));
            }
        }
        if by.internal_reduction && node.depth >= 4 && node.table_move == NO_MOVE {
            node.depth -= 1;
        }
        view.singular = by.singular && node.ply > 0 && self.is_singular::<SHARED>(n, node)?;
        self.rested_on_path(); // Whatever that was about, it is not the children's.
        Ok(None)
    }

    /// Whether the position is so good already that some move will fail high.
    #[inline(always)]
    fn cut_by_estimate<const SHARED: bool>(
        &mut self,
        n: &Place<G>,
        node: &mut Node,
        view: View,
        estimate: Value,
    ) -> Result<Option<Value>, Stopped> {
        let (by, gamma) = (self.setup.selective, node.window.low);
        if estimate < gamma {
            return Ok(None);
        }
        let Some(passed) = n.position.passed() else { return Ok(None) };
        let margin = by.unit * 5 / 4 * (i32::from(node.depth) - i32::from(view.improving));
        if by.reverse_futility && node.depth <= NEAR && estimate - margin > gamma {
            return Ok(Some(self.end(n, *node, estimate - margin, End::Evaluated)));
        }
        if by.null_move && node.depth >= 2 && !self.own.stack[usize::from(node.ply)].passed {
            return self.try_passing::<SHARED>(n, passed, node);
        }
        Ok(None)
    }

    /// Lets the other side move twice. If that is not enough for it, some move fails high here.
    fn try_passing<const SHARED: bool>(
        &mut self,
        n: &Place<G>,
        passed: G,
        node: &mut Node,
    ) -> Result<Option<Value>, Stopped> {
        let gamma = node.window.low;
        let below = node.depth.saturating_sub(4 + node.depth / 6);
        let next = &mut self.own.stack[usize::from(node.ply) + 1];
        (next.played, next.passed, next.main) = (NO_MOVE, true, false);
        let question = Window::null(-gamma.pre());
        let passed = Place { key: passed.key(), position: passed };
        let v = -self.search::<true, SHARED>(&passed, below, node.ply + 1, question)?.age();
        if v < gamma {
            return Ok(None);
        }
        node.by_path = self.rested_on_path();
        // A win after a pass is no win.
        let g = if v.is_proven() { gamma.bound() } else { v };
        Ok(Some(self.end(n, *node, g, End::Expanded)))
    }

    /// Whether the table's move is better than all others by a margin, as far as a shallower search can see.
    #[inline]
    fn is_singular<const SHARED: bool>(&mut self, n: &Place<G>, node: &Node) -> Result<bool, Stopped> {
        if node.depth < SINGULAR || node.table_move == NO_MOVE || node.ply >= self.setup.horizon.saturating_mul(2) {
            return Ok(false);
        }
        let known = self.setup.table.retrieve(n.key, node.depth - 3).f.lower;
        if known == Value::NEG_INFINITY || known.is_proven() {
            return Ok(false);
        }
        let rest = Gamma::below(known - self.setup.selective.unit * i32::from(node.depth) / 50);
        let here = usize::from(node.ply);
        self.own.stack[here].excluded = node.table_move;
        let v = self.search::<true, SHARED>(n, (node.depth - 1) / 2, node.ply, Window::null(rest));
        self.own.stack[here].excluded = NO_MOVE;
        Ok(v? < rest)
    }

    /// Whether a move is left out, or how many plies less deeply it is searched.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn treatment(
        &self,
        n: &Place<G>,
        node: &Node,
        view: View,
        c: &Place<G>,
        edge: &Edge<G::Move>,
        children: &Cursor<G>,
        g: Value,
    ) -> Treatment {
        if edge.code == self.own.stack[usize::from(node.ply)].excluded {
            return Treatment::LeaveOut { at_most: Value::NEG_INFINITY };
        }
        let tactical = n.position.gain(edge.m).is_some();
        // A capture that loses more than it wins, as the game's hint has it.
        let losing = tactical && edge.rank < 0;
        let urgent = c.position.forced();
        let place = children.tried - 1;
        // Once a move is known that does not lose, leaving others out cannot make a loss of the position.
        let spare = !view.whole && view.estimate.is_some() && g > Value::loss_in(Value::MAX_DISTANCE);
        if spare
            && !urgent
            && children.taken_up == 0
            && let Some(at_most) = self.at_most(node, view, tactical, losing, place)
        {
            return Treatment::LeaveOut { at_most };
        }
        let first = 1 + usize::from(view.whole) + usize::from(node.ply == 0);
        if !self.setup.selective.reductions || node.depth < 3 || place < first || (tactical && !losing) {
            return Treatment::Search { plies_less: 0 };
        }
        let mut off = i32::from(self.setup.reductions.get(node.depth, place));
        off += i32::from(off > 0 && !view.improving);
        off -= i32::from(view.whole) + i32::from(urgent) + i32::from(view.estimate.is_none());
        if !tactical {
            off -= self.earned(n, node, edge.code);
        }
        Treatment::Search { plies_less: off.clamp(0, i32::from(node.depth) - 2) as u8 }
    }

    /// What a move could reach at most, if it can be left out.
    #[inline(always)]
    fn at_most(&self, node: &Node, view: View, tactical: bool, losing: bool, place: usize) -> Option<Value> {
        let by = self.setup.selective;
        if tactical {
            let left_out = by.exchanges && losing && node.depth <= VERY_NEAR;
            return left_out.then_some(Value::NEG_INFINITY);
        }
        if node.depth > NEAR {
            return None;
        }
        let depth = usize::from(node.depth);
        if by.late_moves && place >= (6 + 2 * depth * depth) / (2 - usize::from(view.improving)) {
            return Some(Value::NEG_INFINITY);
        }
        let most = view.estimate? + by.unit * 3 / 2 * (i32::from(node.depth) + 1);
        (by.futility && most < node.window.low).then_some(most)
    }

    /// How many plies a quiet move has earned by what it did elsewhere.
    #[inline(always)]
    fn earned(&self, n: &Place<G>, node: &Node, code: u16) -> i32 {
        let side = n.position.turn().index();
        let last = self.own.stack[usize::from(node.ply)].played;
        if self.own.history.is_killer(node.ply, code) || self.own.history.reply(side, last) == code {
            return 1;
        }
        (self.own.history.merit(side, code) / 10_000).clamp(-2, 2)
    }

    /// Goes on to a child, and says how deep.
    #[inline(always)]
    pub(super) fn step_down(&mut self, node: &Node, view: View, edge: &Edge<G::Move>, tried: usize) -> u8 {
        let here = usize::from(node.ply);
        let main = if node.ply == 0 { self.begin_root_move(edge.m, tried) } else { self.own.stack[here].main };
        let next = &mut self.own.stack[here + 1];
        (next.played, next.passed, next.main) = (edge.code, false, main && tried == 1);
        node.depth - 1 + u8::from(view.singular && edge.code == node.table_move)
    }

    /// Every line from the root may be the one that is expected.
    #[cold]
    fn begin_root_move(&mut self, m: G::Move, number: usize) -> bool {
        self.observer.root_move(self.setup.horizon, m, number);
        true
    }

    /// A move has failed high: remember it, if it is one that nothing else tells apart, and that those before it did not.
    #[inline(always)]
    pub(super) fn learn(&mut self, n: &Place<G>, node: &Node, edge: &Edge<G::Move>, children: &Cursor<G>) {
        let own = &mut *self.own;
        own.tally.cut(node.depth, children.tried as u64);
        if !self.setup.learning || n.position.gain(edge.m).is_some() {
            return;
        }
        let (side, bonus) = (n.position.turn().index(), history::selective_bonus(node.depth));
        own.history.add_killer(node.ply, edge.code);
        own.history.learn_reply(side, own.stack[usize::from(node.ply)].played, edge.code);
        own.history.update(side, edge.code, bonus);
        for other in &own.moves.list[children.first..children.next] {
            if other.code != edge.code && n.position.gain(other.m).is_none() {
                own.history.update(side, other.code, -bonus);
            }
        }
    }

    /// Whether the value found last rests on the path; asked once.
    #[inline(always)]
    pub(super) fn rested_on_path(&mut self) -> bool {
        self.own.path.as_mut().is_some_and(|path| core::mem::take(&mut path.decided))
    }

    /// A child was searched: the node's value rests on the path if that of its best child does.
    #[inline(always)]
    pub(super) fn rest_on_best(&mut self, node: &mut Node, better: bool) {
        let rests = self.rested_on_path();
        if better {
            node.by_path = rests;
        }
    }

    /// Ends a visit: counts it and remembers it, unless it rests on the path or is about some of the moves only. What deeper
    /// searches know stands.
    ///
    /// Deviation: in the exact search any draw by the path below a node that fails low keeps its bound out of the table.
    /// Here it does if it is the value, for otherwise few bounds would be left.
    #[inline(always)]
    pub(super) fn end(&mut self, n: &Place<G>, mut node: Node, mut g: Value, end: End) -> Value {
        let partial = self.own.stack[usize::from(node.ply)].excluded != NO_MOVE;
        if node.ended.is_none() && !partial {
            g = g.max(node.f.lower).min(node.f.upper);
            node.f = node.f.narrowed(node.window.proves(g));
        }
        if let Some(path) = &mut self.own.path {
            path.decided = node.by_path;
        }
        if !node.by_path && !partial && (node.depth > 0 || self.setup.store_leaves) {
            self.remember(n, &node, g);
        }
        self.finish(n, &node, g, end);
        g
    }
}
