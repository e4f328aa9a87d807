//! Results and options can be written and read again with the feature `serde`.

use emtee::research::{Deepening, Gamma, Guess, Keep, Mode, Options, Reuse, Window};
use emtee::{Algorithm, Bounds, Budget, Found, Level, MoveOrdering, OwnEvaluation, Selective, Size, Value, player};
use emtee_games::tree::Tree;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn again<T: Serialize + DeserializeOwned>(thing: &T) -> T {
    serde_json::from_str(&serde_json::to_string(thing).unwrap()).unwrap()
}

#[test]
fn results_are_read_again() {
    let tree = Tree::paper();
    for algorithm in [Algorithm::MtdF, Algorithm::MtdBest(Default::default()), Algorithm::AlphaBeta] {
        let mut search = player(OwnEvaluation).algorithm(algorithm).build().unwrap();
        for budget in [Budget::depth(4), Budget::nodes(12)] {
            let found = search.think(&tree.root(), budget).unwrap();
            assert_eq!(again::<Found<u16>>(&found), found);
            search.clear().unwrap();
        }
    }
    let chosen = player(OwnEvaluation).build().unwrap().choose(&tree.root(), Level::LOWEST, 1).unwrap();
    assert_eq!(again(&chosen), chosen);
}

#[test]
fn options_are_read_again() {
    let mut options = Options::default();
    assert_eq!(again(&options), options);
    options.algorithm = "aspiration-negascout:7:double".parse().unwrap();
    (options.size, options.keep, options.reuse) =
        (Some(Size::of_bytes(48)), Some(Keep::OneBound), Some(Reuse::AtLeastDepth));
    (options.ordering, options.guess) = (Some(MoveOrdering::FULL), Guess::TwoBack);
    options.mode = Mode::Selective(Selective::ALL);
    (options.deepening, options.first_guess) = (Deepening::By(3), Some(Value::loss_in(4)));
    options.range = Bounds { lower: Value::win_in(9), upper: Value::INFINITY };
    assert_eq!(again(&options), options);
    let budget = Budget::ms(1_500).and_depth(9).and_nodes(77);
    assert_eq!(again(&budget), budget);
}

#[test]
fn values_are_checked() {
    for value in [Value::default(), Value::win_in(3), Value::loss_in(999), Value::INFINITY, Value::NEG_INFINITY] {
        assert_eq!(again(&value), value);
        assert_eq!(serde_json::to_string(&value).unwrap(), value.get().to_string());
    }
    let windows =
        [Window::FULL, Window::null(Gamma::below(Value::default())), Window::null(Gamma::above(Value::INFINITY))];
    for window in windows {
        assert_eq!(again(&window), window);
    }
    let error = |text: &str| serde_json::from_str::<Value>(text).unwrap_err().to_string();
    assert!(error("32100").starts_with("32100 is not a possible value"));
    assert!(serde_json::from_str::<Gamma>("40000").is_err());
    assert!(serde_json::from_str::<Level>("11").unwrap_err().to_string().starts_with("'11' is not a level"));
    let unknown = serde_json::from_str::<Algorithm>("\"mtd-g\"").unwrap_err().to_string();
    assert!(unknown.starts_with("there is no algorithm 'mtd-g'; did you mean"), "{unknown}");
}
