//! The rows of `--json`.

use serde_json::{Value as Json, json};

use crate::{column, emtee, emtee_reading};

const COUNTS: [&str; 11] = [
    "depth",
    "nbp",
    "interior",
    "table_answers",
    "nodes",
    "quiet_nodes",
    "passes",
    "cut_nodes",
    "first_move_cuts",
    "moves_at_cuts",
    "crossings",
];

/// Checks the fields of every row of `search`, `compare` and `tree`.
fn check_row(row: &Json) {
    for field in ["game", "position", "algorithm"] {
        assert!(row[field].is_string(), "{field}: {row}");
    }
    for field in COUNTS {
        assert!(row[field].is_u64(), "{field}: {row}");
    }
    for field in ["lower", "upper"] {
        assert!(row[field].is_i64(), "{field}: {row}");
    }
    assert!(row["seconds"].is_f64() && row["complete"].is_boolean(), "{row}");
    assert!(row["pv"].as_array().unwrap().iter().all(Json::is_string), "{row}");
    assert!(row["best_move"].is_string(), "{row}");
    if row["algorithm"].as_str().unwrap().starts_with("mtd-best") {
        assert!(row["value"].is_null(), "{row}");
    } else {
        assert!(row["value"].is_i64(), "{row}");
    }
    let count = |field: &str| row[field].as_u64().unwrap();
    assert_eq!(count("nodes"), count("interior") + count("nbp") + count("table_answers"), "{row}");
    assert!(count("first_move_cuts") <= count("cut_nodes") && count("cut_nodes") <= count("interior"), "{row}");
}

fn check_trace(row: &Json) {
    let trace = row["trace"].as_array().unwrap();
    assert_eq!(trace.len() as u64, row["passes"].as_u64().unwrap());
    for pass in trace {
        assert!(pass["gamma"].is_f64() || (pass["alpha"].is_i64() && pass["beta"].is_i64()), "{pass}");
        for field in ["g", "lower", "upper", "nbp", "nodes"] {
            assert!(pass[field].is_i64(), "{field}: {pass}");
        }
    }
}

#[test]
fn rows_of_mcts_have_the_share_of_wins() {
    let rows = emtee("search connect4 --algorithm mcts --nodes 300 --json").rows();
    for row in &rows {
        check_row(row);
        assert!(row["win_rate"].as_f64().is_some_and(|rate| (0.0..=1.0).contains(&rate)), "{row}");
        assert_eq!(row["simulations"], row["nodes"], "{row}");
    }
    assert_eq!(rows.last().unwrap()["simulations"], 300);
    let won = emtee("search connect4 --position 112233 --algorithm uct --nodes 300 --json").rows();
    let last = won.last().unwrap();
    assert_eq!((&last["algorithm"], &last["win_in"], &last["win_rate"]), (&json!("mcts"), &json!(1), &json!(1.0)));
}

#[test]
fn search_prints_one_row_per_iteration_and_the_last_is_the_result() {
    for game in ["connect4", "kalah", "tictactoe"] {
        let rows = emtee(&format!("search {game} --depth 5 --json")).rows();
        assert_eq!(column(&rows, "depth"), [1, 2, 3, 4, 5]);
        for row in &rows {
            check_row(row);
            check_trace(row);
            assert_eq!((&row["game"], &row["complete"]), (&json!(game), &json!(true)));
            assert_eq!(row["pv"][0], row["best_move"]);
        }
        let nodes: Vec<u64> = rows.iter().map(|row| row["nodes"].as_u64().unwrap()).collect();
        assert!(nodes.is_sorted(), "counts are cumulative: {nodes:?}");
    }
    let by_twos = emtee("search connect4 --depth 6 --step 2 --json").rows();
    assert_eq!(column(&by_twos, "depth"), [2, 4, 6]);
}

#[test]
fn all_algorithms_have_the_same_fields() {
    let rows = emtee("compare tictactoe --depth 4 --algorithms all --json").rows();
    for name in ["mtd-f", "sss", "mtd-best", "scout", "minimax", "stockman-dual"] {
        let searched = emtee(&format!("search tictactoe --depth 4 --algorithm {name} --json")).row();
        check_row(&searched);
        check_trace(&searched);
        let compared = rows.iter().find(|row| row["algorithm"] == name).unwrap();
        assert_eq!(searched["value"], compared["value"], "{name}");
    }
}

#[test]
fn compare_ends_with_a_summary_for_each_algorithm_and_depth() {
    let rows = emtee("compare kalah --depth 4 --algorithms mtd-f,sss,mtd-best --json").rows();
    let (results, summaries) = rows.split_at(4);
    let names = ["mtd-f", "sss", "mtd-best", "aspiration-negascout"];
    assert_eq!(column(results, "algorithm"), names, "the baseline is always among them");
    for row in results {
        check_row(row);
        assert_eq!((&row["depth"], &row["summary"]), (&json!(4), &Json::Null));
    }
    let expected: Vec<(&str, u64)> = names.iter().flat_map(|&name| (1..=4).map(move |depth| (name, depth))).collect();
    let named = |row: &Json| (row["algorithm"].as_str().unwrap().to_owned(), row["depth"].as_u64().unwrap());
    let found: Vec<(String, u64)> = summaries.iter().map(named).collect();
    assert_eq!(found, expected.iter().map(|(name, depth)| (String::from(*name), *depth)).collect::<Vec<_>>());
    for row in summaries {
        assert_eq!((&row["summary"], &row["game"]), (&json!(true), &json!("kalah")));
        for field in ["nbp_pct", "nodes_pct", "seconds_pct"] {
            let percent = row[field].as_f64().unwrap();
            assert!(percent > 0.0, "{row}");
            if row["algorithm"] == "aspiration-negascout" {
                assert!((percent - 100.0).abs() < 1e-6, "{row}");
            }
        }
    }
    // The percentages match the counts.
    let nodes = |name: &str, rows: &[Json]| {
        rows.iter().rfind(|row| row["algorithm"] == name).map(|row| row["nodes"].as_f64().unwrap()).unwrap()
    };
    let percent = summaries.iter().rfind(|row| row["algorithm"] == "sss").unwrap()["nodes_pct"].as_f64().unwrap();
    let ratio = nodes("sss", results) / nodes("aspiration-negascout", results);
    assert!((percent - 100.0 * ratio).abs() < 1e-6);
}

#[test]
fn compare_accepts_many_positions() {
    let rows =
        emtee_reading("compare connect4 --depth 3 --algorithms mtd-f --positions - --json", b"44\n12\n\n# no\n7");
    let rows = rows.rows();
    assert_eq!(column(&rows[..6], "position"), ["44", "44", "12", "12", "7", "7"]);
    assert!(rows[6..].iter().all(|row| row["summary"] == true && row["positions"] == 3));
}

#[test]
fn all_algorithms_agree_on_kalah() {
    let rows = emtee("compare kalah --depth 6 --algorithms all --json").rows();
    let values: Vec<i64> =
        rows.iter().filter(|row| row["complete"] == true).filter_map(|row| row["value"].as_i64()).collect();
    assert!(values.len() >= 12 && values.iter().all(|value| *value == values[0]), "{values:?}");
    for row in rows.iter().filter(|row| row["summary"].is_null() && row["value"].is_null()) {
        assert!(row["lower"].as_i64().unwrap() <= values[0], "{row}");
    }
}

#[test]
fn mtd_best_has_a_move_but_no_value() {
    let value = emtee("search kalah --depth 6 --json").row()["value"].as_i64().unwrap();
    let row = emtee("search kalah --depth 6 --algorithm mtd-best --json").row();
    assert_eq!(row["value"], Json::Null);
    assert!(row["lower"].as_i64().unwrap() <= value && value <= row["upper"].as_i64().unwrap());
    let trace = row["trace"].as_array().unwrap();
    assert!(!trace.is_empty() && trace.iter().all(|pass| pass["move"].is_string()), "{row}");
}

#[test]
fn wins_and_losses_have_a_distance() {
    for (game, position, field, plies, sign) in [
        ("tictactoe", "XX-OO----", "win_in", 1, 1),
        ("connect4", "415161", "win_in", 1, 1),
        ("connect4", "4151", "win_in", 3, 1),
        ("connect4", "41516", "loss_in", 2, -1),
        ("tictactoe", "XXXOO----", "loss_in", 0, -1),
    ] {
        let row = emtee(&format!("search {game} --position {position} --depth 5 --json")).row();
        assert_eq!(row[field], plies, "{game} {position}");
        assert_eq!(row.get("win_in").is_some(), sign > 0, "{row}");
        assert_eq!(row.get("loss_in").is_some(), sign < 0, "{row}");
        assert!(row["value"].as_i64().unwrap() * sign > 31_000, "{row}");
    }
    let quiet = emtee("search connect4 --depth 3 --json").row();
    assert!(quiet.get("win_in").is_none() && quiet.get("loss_in").is_none());
}

#[test]
fn an_aborted_search_keeps_the_last_finished_iteration() {
    let rows = emtee("search connect4 --nodes 50 --json").rows();
    let (last, finished) = rows.split_last().unwrap();
    assert!(finished.iter().all(|row| row["complete"] == true));
    assert_eq!(last["complete"], false);
    let deepest = finished.last().unwrap();
    // Visits in progress when the limit was reached are not counted.
    let nodes = |row: &Json| row["nodes"].as_u64().unwrap();
    assert!((nodes(deepest)..=50).contains(&nodes(last)), "{last}");
    assert_eq!((&last["depth"], &last["value"]), (&deepest["depth"], &deepest["value"]));
    check_row(last);

    let nothing = emtee("search connect4 --nodes 1 --json").rows();
    assert_eq!((nothing.len(), &nothing[0]["complete"], &nothing[0]["best_move"]), (1, &json!(false), &Json::Null));

    let timed = emtee("search kalah --time 30ms --json").row();
    assert_eq!(timed["complete"], false);
    assert!(timed["depth"].as_u64().unwrap() >= 1);
}

#[test]
fn perft_counts_connect_four() {
    for (depth, nodes) in [(0, 1), (1, 7), (2, 49), (3, 343), (4, 2_401), (5, 16_807), (6, 117_649), (7, 823_536)] {
        let rows = emtee(&format!("perft connect4 --depth {depth} --json")).rows();
        assert_eq!((rows.len(), &rows[0]["depth"], &rows[0]["nodes"]), (1, &json!(depth), &json!(nodes)));
        assert!(rows[0]["seconds"].is_f64());
    }
    let divided = emtee("perft tictactoe --depth 3 --divide --json").rows();
    let (whole, parts) = divided.split_last().unwrap();
    assert_eq!((whole["nodes"].as_u64(), parts.len()), (Some(504), 9));
    assert_eq!(parts.iter().map(|row| row["nodes"].as_u64().unwrap()).sum::<u64>(), 504);
    assert!(parts.iter().all(|row| row["move"].is_string()));
}

#[test]
fn positions_can_be_given_in_four_ways() {
    let rows =
        emtee_reading("perft connect4 --depth 1 --positions - --json", b"# full on the left\n111111\n\n44\n").rows();
    assert_eq!(column(&rows, "nodes"), [6, 7]);
    assert_eq!(column(&rows, "position"), ["111111", "44"]);
    let several = emtee("perft connect4 --depth 1 --position 111111 --position 44 --json").rows();
    assert_eq!(column(&several, "nodes"), [6, 7]);

    let search = |how: &str| emtee(&format!("search connect4 --depth 6 --json {how}")).row();
    let position = search("--position 4453");
    for how in ["--moves 4␣4␣5␣3", "--moves 4,4,5,3", "--position 44 --moves 5␣3"] {
        let moves = search(how);
        for field in ["value", "best_move", "nbp", "nodes", "pv"] {
            assert_eq!(moves[field], position[field], "{how}: {field}");
        }
    }
    // The position of a row is accepted as input.
    let named = search("--moves 4␣4␣5␣3")["position"].as_str().unwrap().to_owned();
    assert_eq!(search(&format!("--position {named}"))["value"], position["value"]);
}

#[test]
fn names_have_aliases() {
    for (alias, name) in [
        ("mtdf", "mtd-f"),
        ("MTD-f", "mtd-f"),
        ("sss*", "sss"),
        ("SSS*", "sss"),
        ("dual*", "dual"),
        ("c*", "mtd-bi"),
        ("pvs", "negascout"),
        ("alphabeta", "alpha-beta"),
        ("aspiration", "aspiration-negascout"),
        ("mtd-step:50", "mtd-step:50"),
    ] {
        assert_eq!(emtee(&format!("search tictactoe --depth 2 --algorithm {alias} --json")).row()["algorithm"], name);
    }
    let rows = emtee("compare tictactoe --depth 2 --algorithms mtdf,sss*,pvs,MTDF --json").rows();
    assert_eq!(column(&rows[..4], "algorithm"), ["mtd-f", "sss", "negascout", "aspiration-negascout"]);
    assert_eq!(emtee("perft Connect-4 --depth 1 --json").row()["game"], "connect4");
}

#[test]
fn the_last_row_ranks_the_best_moves() {
    let rows = emtee("search kalah --depth 5 --top 3 --json").rows();
    assert_eq!(column(&rows, "depth"), [1, 2, 3, 4, 5]);
    assert!(rows[..4].iter().all(|row| row.get("top").is_none()));
    let top = rows[4]["top"].as_array().unwrap();
    assert_eq!((top.len(), &top[0]["value"]), (3, &rows[4]["value"]));
    for (better, worse) in top.iter().zip(&top[1..]) {
        assert!(better["lower"].as_i64() >= worse["lower"].as_i64(), "{top:?}");
        assert!(better["move"].is_string() && better["upper"].is_i64());
    }
    assert_eq!(column(top, "depth"), [5, 5, 5]);
}

#[test]
fn all_ranked_moves_have_the_same_depth_after_a_limit() {
    for line in ["search kalah --time 60ms --top 3", "search connect4 --depth 10 --nodes 40000 --top 4"] {
        let row = emtee(&format!("{line} --json")).row();
        let top = row["top"].as_array().unwrap();
        let wanted: usize = line.split_whitespace().last().unwrap().parse().unwrap();
        let mut moves: Vec<&str> = top.iter().map(|top| top["move"].as_str().unwrap()).collect();
        assert_eq!((top.len(), moves[0]), (wanted, row["best_move"].as_str().unwrap()), "{line}");
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), wanted, "{line}: {top:?}");
        assert!(top.iter().all(|top| top["depth"] == row["depth"] && top["value"].is_i64()), "{line}: {top:?}");
        assert!(row["nodes"].as_u64().unwrap() <= 40_000 || line.contains("--time"), "one search: {row}");
    }
}

#[test]
fn ranked_moves_have_their_minimax_values() {
    let top = emtee("search connect4 --position 44 --nodes 6000 --top 4 --json").row()["top"].clone();
    for ranked in top.as_array().unwrap() {
        let (m, depth) = (ranked["move"].as_str().unwrap(), ranked["depth"].as_u64().unwrap());
        let reply =
            emtee(&format!("search connect4 --position 44{m} --depth {} --algorithm minimax --json", depth - 1)).row();
        assert_eq!(ranked["value"].as_i64().unwrap(), -reply["value"].as_i64().unwrap(), "{ranked}");
    }
}

#[test]
fn options_do_not_change_the_value() {
    let plain = emtee("search connect4 --depth 7 --json").row();
    for options in [
        "--entries 64",
        "--hash 1MB",
        "--hash 512kb",
        "--bounds one",
        "--etc 3",
        "--step 2 --depth 7",
        "--guess two-back",
        "--skip-leaves",
        "--threads 1",
    ] {
        let depth = if options.contains("--depth") { "" } else { "--depth 7" };
        let row = emtee(&format!("search connect4 {depth} {options} --json")).row();
        assert_eq!((&row["value"], &row["depth"]), (&plain["value"], &json!(7)), "{options}");
    }
    let coarse = emtee("search connect4 --depth 7 --grain 8 --json").row();
    assert_eq!(coarse["value"].as_i64().unwrap() % 8, 0);
}

/// The sums of cut nodes, first-move cutoffs and moves tried over all heights.
fn sums(heights: &Json) -> [u64; 3] {
    let all = heights.as_array().unwrap();
    assert!(all.iter().map(|at| at["height"].as_u64().unwrap()).is_sorted(), "{heights}");
    ["cut_nodes", "first_move_cuts", "moves_at_cuts"]
        .map(|field| all.iter().map(|at| at[field].as_u64().unwrap()).sum())
}

#[test]
fn the_last_row_has_the_move_ordering_by_height() {
    for line in
        ["search kalah --depth 6", "search kalah --depth 4 --top 2", "search kalah --nodes 5000", "search tictactoe"]
    {
        let rows = emtee(&format!("{line} --json")).rows();
        let (last, before) = rows.split_last().unwrap();
        assert!(!before.is_empty() && before.iter().all(|row| row["heights"].is_null()), "{line}");
        let counts = ["cut_nodes", "first_move_cuts", "moves_at_cuts"].map(|field| last[field].as_u64().unwrap());
        assert_eq!(sums(&last["heights"]), counts, "{line}");
    }
    let rows = emtee("compare kalah --depth 5 --algorithms mtd-f --position 4,4,4,4,4,4,0/4,4,4,4,4,4,0␣S --position 4,4,4,4,4,4,0/4,4,4,4,4,4,0␣N --json").rows();
    let (results, summaries) = rows.split_at(4);
    for summary in summaries {
        let of = |row: &&Json| row["algorithm"] == summary["algorithm"];
        if summary["depth"] == 5 {
            let each: Vec<[u64; 3]> = results.iter().filter(of).map(|row| sums(&row["heights"])).collect();
            assert_eq!(sums(&summary["heights"]), [0, 1, 2].map(|at| each.iter().map(|sums| sums[at]).sum::<u64>()));
        } else {
            assert!(summary["heights"].is_null(), "{summary}");
        }
    }
}

#[test]
fn a_repetition_is_a_draw_in_play() {
    // White is a rook down but has a perpetual check; the moves before the position count too.
    let searched = |more: &str| {
        let position = "6k1/6p1/8/7Q/8/8/rq4PP/7K␣w␣-␣-␣0␣1";
        let row = emtee(&format!("search chess --depth 6 --json --position {position} {more}")).row();
        row["value"].as_i64().unwrap()
    };
    assert!(searched("") < -300);
    assert_eq!(searched("--in-play"), 0);
    assert_eq!(searched("--in-play --moves h5e8,g8h7,e8h5,h7g8"), 0);
}

#[test]
fn baselines_are_compared_by_kind() {
    let rows = emtee("compare othello --depth 6 --algorithms mtd-f,baselines --json").rows();
    let summaries: Vec<_> = rows.iter().filter(|row| row["summary"] == true && row["depth"] == 6).cloned().collect();
    let kinds = ["mtd-f", "aspiration-negascout:opened", "aspiration-negascout:tuned", "aspiration-negascout:practice"];
    assert_eq!(column(&summaries, "algorithm"), kinds);
    assert_eq!(summaries[2]["nodes_pct"], 100.0, "the tuned baseline is 100 %: {summaries:?}");
    assert!(summaries[3]["nodes"] != summaries[2]["nodes"], "{summaries:?}");
    let one = emtee("compare othello --depth 6 --algorithms mtd-f,ans:practice --json").rows();
    let practice = |row: &&Json| row["algorithm"] == kinds[3] && row["depth"] == 6 && row["summary"] == true;
    assert_eq!(one.iter().find(practice).unwrap()["nodes"], summaries[3]["nodes"]);
}
