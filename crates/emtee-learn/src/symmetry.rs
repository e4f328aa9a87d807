//! Finds the symmetries of a game by playing it.

use emtee::{Game, legal_moves, mix};

use crate::Features;
use crate::geometry::Symmetry;

/// The games that are played for each symmetry.
const GAMES: u64 = 4;

/// What a position looks like, and how it has ended.
type View = (Vec<u8>, Vec<i32>, Option<emtee::Outcome>);

fn view<G: Game>(board: &G, features: &dyn Fn(&G, &mut Features), map: Option<&[u8]>) -> View {
    let mut f = Features::new(board.turn());
    features(board, &mut f);
    let mut cells = f.cells().to_vec();
    if let Some(map) = map {
        f.cells().iter().zip(map).for_each(|(&state, &to)| cells[usize::from(to)] = state);
    }
    (cells, f.counters().to_vec(), board.outcome())
}

/// The symmetries of the game, the identity first.
///
/// Two games are played side by side, in which every position is the mirror image of the other. Whatever one side can play
/// in one of them must have its mirror image in the other.
pub(crate) fn symmetries<G: Game>(
    start: &G,
    features: &dyn Fn(&G, &mut Features),
    size: (usize, usize),
) -> Vec<Symmetry> {
    let holds = |symmetry: &Symmetry| {
        let map = symmetry.map(size);
        *symmetry == Symmetry::IDENTITY || (0..GAMES).all(|game| is_mirrored(start, features, &map, game))
    };
    Symmetry::all(size).filter(holds).collect()
}

fn is_mirrored<G: Game>(start: &G, features: &dyn Fn(&G, &mut Features), map: &[u8], game: u64) -> bool {
    let (mut board, mut mirrored) = (start.clone(), start.clone());
    if view(&board, features, Some(map)) != view(&mirrored, features, None) {
        return false;
    }
    for ply in 0..60 {
        let [mut own, mut other] = [(&board, Some(map)), (&mirrored, None)].map(|(from, map)| {
            let children = legal_moves(from).into_iter().map(|m| from.play(m));
            children.map(|child| (view(&child, features, map), child)).collect::<Vec<(View, G)>>()
        });
        if own.is_empty() || other.is_empty() {
            return own.len() == other.len();
        }
        own.sort_by_cached_key(|(view, _)| order(view));
        other.sort_by_cached_key(|(view, _)| order(view));
        if own.len() != other.len() || own.iter().zip(&other).any(|((a, _), (b, _))| a != b) {
            return false;
        }
        let any = (mix(mix(game) ^ ply) % own.len() as u64) as usize;
        (board, mirrored) = (own.swap_remove(any).1, other.swap_remove(any).1);
    }
    true
}

/// A key by which views are sorted.
fn order((cells, counters, outcome): &View) -> (Vec<u8>, Vec<i32>, u64) {
    (cells.clone(), counters.clone(), emtee::key_of(outcome))
}
