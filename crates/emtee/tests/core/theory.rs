//! The laws of the theory on random trees: a fixed depth, moves in the order given, a table without evictions.

use emtee::research::{End, Observer, Progress, Visit};
use emtee::{Algorithm, Bounds, Budget, Found, MoveOrdering, OwnEvaluation, Side, Size, Value, mix, player};
use emtee_games::tree::{Leaf, Shape, Tree, TreeNode};
use proptest::prelude::*;

use crate::common::{Rules, minimax, think, worth};

/// The leaves that were evaluated, in order.
#[derive(Default)]
struct Leaves(Vec<u32>);

impl<'t> Observer<TreeNode<'t>> for Leaves {
    fn leave(&mut self, n: &TreeNode<'t>, visit: &Visit) {
        if visit.end == End::Evaluated {
            self.0.push(n.id());
        }
    }
}

/// Runs an algorithm, or a driver, on a tree.
fn run(tree: &Tree, plan: impl Into<Plan>) -> (Found<u16>, Vec<u32>) {
    let builder = player(OwnEvaluation).fixed_depth().with(|options| options.ordering = Some(MoveOrdering::AS_GIVEN));
    let plan = plan.into();
    let builder = match plan {
        Plan::Named(algorithm) if algorithm.is_oracle() => builder.algorithm(algorithm),
        Plan::Named(algorithm) => builder.algorithm(algorithm).table(Size::of_entries(1 << 16)),
        Plan::Guess(value) => builder.with(|options| options.first_guess = Some(value)).algorithm(Algorithm::MtdF),
        Plan::Random(seed) => builder
            .driver(move |s: &Progress| Value::score((mix(seed ^ u64::from(s.passes)) % 41) as i32 - 20).unwrap()),
    };
    let uses_range = !matches!(&plan, Plan::Named(algorithm) if !algorithm.uses_range());
    let builder = match tree.infinity().and_then(Value::score).filter(|_| uses_range) {
        Some(upper) => builder.with(|options| options.range = Bounds { lower: -upper, upper }),
        None => builder,
    };
    let mut leaves = Leaves::default();
    let root = tree.root();
    let budget = Budget::depth(root.height());
    let found = builder.build().unwrap().think_observed(&root, budget, &mut leaves).unwrap();
    (found, leaves.0)
}

enum Plan {
    Named(Algorithm),
    /// MTD-f from this guess.
    Guess(Value),
    /// A driver with random bounds.
    Random(u64),
}

impl From<Algorithm> for Plan {
    fn from(algorithm: Algorithm) -> Plan {
        Plan::Named(algorithm)
    }
}

fn values(tree: &Tree, leaves: &[u32]) -> Vec<i32> {
    leaves.iter().map(|&id| tree.node(id).unwrap().value().unwrap().get()).collect()
}

fn gs(found: &Found<u16>) -> Vec<i32> {
    found.iterations.iter().flat_map(|iteration| iteration.passes.iter().map(|pass| pass.g.get())).collect()
}

fn bounds(found: &Found<u16>) -> Vec<i32> {
    let passes = found.iterations.iter().flat_map(|iteration| &iteration.passes);
    passes.map(|pass| pass.window.beta().get()).collect()
}

#[test]
fn the_worked_example_of_section_2_2() {
    let tree = Tree::paper();
    let (found, leaves) = run(&tree, Algorithm::Sss);
    assert_eq!(found.value, Value::score(35));
    assert_eq!(bounds(&found), [1000, 41, 36, 35]);
    assert_eq!(gs(&found), [41, 36, 35, 35]);
    assert_eq!(values(&tree, &leaves), [41, 12, 34, 36, 5, 35, 50, 36]);
    let fresh: Vec<u64> = found.iterations[0].passes.iter().map(|pass| pass.counts.nbp).collect();
    assert_eq!(fresh, [4, 1, 1, 2]);
    assert_eq!(run(&tree, Algorithm::StockmanSss).1, leaves);

    let (found, leaves) = run(&tree, Algorithm::Dual);
    assert_eq!(gs(&found), [5, 12, 34, 35, 35]);
    assert_eq!(leaves.len(), 12);
    assert_eq!(run(&tree, Algorithm::StockmanDual).1, leaves);

    let (found, leaves) = run(&tree, Algorithm::AlphaBeta);
    assert_eq!(found.value, Value::score(35));
    assert_eq!(values(&tree, &leaves), [41, 5, 12, 90, 101, 80, 34, 80, 36, 35, 50, 36]);

    let builder = player(OwnEvaluation).fixed_depth().with(|options| options.ordering = Some(MoveOrdering::AS_GIVEN));
    let mut mtd_f = builder
        .algorithm(Algorithm::MtdFFigure8)
        .with(|options| options.first_guess = Some(Value::score(35).unwrap()))
        .build()
        .unwrap();
    let found = mtd_f.think(&tree.root(), Budget::depth(4)).unwrap();
    assert_eq!(bounds(&found), [36, 35]);
    assert_eq!(found.counts.nbp, 8);
    assert_eq!(found.pv, [1, 0, 1, 1]);
}

/// Trees of every kind: irregular, with many ties, with extra moves, wins and losses.
fn shapes() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        8 => (-4i32..=4).prop_map(|v| Shape::Leaf(Leaf::Points(v))),
        2 => (-30_000i32..=30_000).prop_map(|v| Shape::Leaf(Leaf::Points(v))),
        1 => Just(Shape::Leaf(Leaf::Win)),
        1 => Just(Shape::Leaf(Leaf::Loss)),
        1 => Just(Shape::Leaf(Leaf::Draw)),
    ];
    let side = prop_oneof![6 => Just(None), 1 => Just(Some(Side::First)), 1 => Just(Some(Side::Second))];
    let tree = leaf.prop_recursive(5, 90, 4, move |inner| {
        (side.clone(), prop::collection::vec(inner, 1..=4)).prop_map(|(side, children)| Shape::Node { side, children })
    });
    tree.prop_filter("a leaf cannot be searched", |shape| matches!(shape, Shape::Node { .. }))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn laws_1_to_3_hold(shape in shapes(), seed: u64) {
        let tree = Tree::from_nested(&shape).unwrap();
        let value = minimax(&tree.root(), tree.root().height());

        // Law 1: every driver and every baseline returns the minimax value.
        let (_, mut all) = run(&tree, Algorithm::AlphaBeta);
        all.sort_unstable();
        for algorithm in Algorithm::ALL {
            let (found, leaves) = run(&tree, algorithm);
            if algorithm.finds_value() {
                prop_assert_eq!(found.value, Some(value), "{}", algorithm);
            } else {
                prop_assert!(found.f.contains(value), "{}", algorithm);
            }
            // Law 3: MT never evaluates a leaf that Alpha-Beta does not, and never one twice.
            if algorithm.driver().is_some() {
                let mut leaves = leaves;
                leaves.sort_unstable();
                prop_assert!(leaves.windows(2).all(|pair| pair[0] < pair[1]), "{} evaluates a leaf twice", algorithm);
                prop_assert!(leaves.iter().all(|leaf| all.binary_search(leaf).is_ok()), "{}", algorithm);
            }
        }
        let (found, leaves) = run(&tree, Plan::Random(seed));
        prop_assert_eq!(found.value, Some(value));
        prop_assert!(leaves.iter().all(|leaf| all.binary_search(leaf).is_ok()), "random γ");

        // Law 2: MTD(+∞) is Stockman's SSS*, and MTD(−∞) is DUAL*, leaf by leaf.
        prop_assert_eq!(run(&tree, Algorithm::Sss).1, run(&tree, Algorithm::StockmanSss).1);
        prop_assert_eq!(run(&tree, Algorithm::Dual).1, run(&tree, Algorithm::StockmanDual).1);
    }
}

/// A uniform tree whose first child is always a best one.
fn perfectly_ordered(width: usize, depth: u32, value: i32, max: bool, seed: &mut u64) -> Shape {
    if depth == 0 {
        return Shape::Leaf(Leaf::Points(value));
    }
    let children = (0..width).map(|index| {
        *seed += 1;
        let worse = if index == 0 { 0 } else { (mix(*seed) % 4) as i32 };
        let value = if max { value - worse } else { value + worse };
        perfectly_ordered(width, depth - 1, value, !max, seed)
    });
    Shape::Node { side: None, children: children.collect() }
}

#[test]
fn law_4_holds_on_perfectly_ordered_trees() {
    let mut seed = 0;
    for width in 1..=5usize {
        for depth in 1..=5u32 {
            for value in [-3, 0, 7] {
                let tree = Tree::from_nested(&perfectly_ordered(width, depth, value, true, &mut seed)).unwrap();
                let (most, least) = (width.pow(depth.div_ceil(2)) as u64, width.pow(depth / 2) as u64);
                let critical = most + least - 1;
                let context = format!("width {width}, depth {depth}");
                assert_eq!(run(&tree, Algorithm::AlphaBeta).0.counts.nbp, critical, "{context}");
                let first = |algorithm| run(&tree, algorithm).0.iterations[0].passes[0].counts.nbp;
                assert_eq!(first(Algorithm::Sss), most, "{context}");
                assert_eq!(first(Algorithm::Dual), least, "{context}");
                for guess in [value, value - 1] {
                    let (found, _) = run(&tree, Plan::Guess(Value::score(guess).unwrap()));
                    assert_eq!(found.counts.nbp, critical, "{context}, from {guess}");
                }
            }
        }
    }
}

#[test]
fn every_move_of_a_principal_variation_keeps_the_value() {
    for seed in 0..300 {
        let n = Rules { seed, ..Rules::TREE }.root();
        for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| algorithm.finds_value()) {
            let found = think(algorithm, &n, 5).unwrap();
            let (mut position, mut value) = (n, found.value.unwrap());
            assert!(!found.pv.is_empty());
            for (ply, &m) in found.pv.iter().enumerate() {
                let depth = 5 - ply as u8;
                assert_eq!(minimax(&position, depth), value, "{algorithm}, seed {seed}, ply {ply}");
                assert_eq!(worth(&position, m, depth), value, "{algorithm}, seed {seed}, ply {ply}");
                position = emtee::Game::play(&position, m);
                value = minimax(&position, depth - 1);
            }
            let ended = emtee::Game::outcome(&position).is_some();
            assert!(ended || found.pv.len() == 5, "{algorithm}, seed {seed}: {:?} is too short", found.pv);
        }
    }
}
