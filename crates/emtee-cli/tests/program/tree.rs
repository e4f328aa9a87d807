//! `emtee tree`: the worked example of the paper (section 2.2), and other trees.

use serde_json::{Value as Json, json};

use crate::{Folder, column, emtee, emtee_reading, integers};

fn on_paper(options: &str) -> Json {
    emtee(&format!("tree paper --json {options}")).row()
}

/// γ and g of every pass.
fn passes(row: &Json) -> Vec<(f64, i64)> {
    let pass = |pass: &Json| (pass["gamma"].as_f64().unwrap(), pass["g"].as_i64().unwrap());
    row["trace"].as_array().unwrap().iter().map(pass).collect()
}

#[test]
fn sss_makes_the_passes_of_the_paper() {
    let row = on_paper("--algorithm sss");
    assert_eq!((&row["value"], &row["nbp"], &row["passes"]), (&json!(35), &json!(8), &json!(4)));
    assert_eq!(integers(&row["leaves"]), [41, 12, 34, 36, 5, 35, 50, 36]);
    assert_eq!(passes(&row), [(999.5, 41), (40.5, 36), (35.5, 35), (34.5, 35)]);

    let passes_found: Vec<(f64, i64, String)> = row["pass_details"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pass| {
            let leaves = pass["leaves"].as_array().unwrap().iter();
            let leaves = leaves.map(|leaf| format!("{}={}", leaf["name"].as_str().unwrap(), leaf["value"]));
            let leaves = leaves.collect::<Vec<_>>().join(" ");
            (pass["gamma"].as_f64().unwrap(), pass["g"].as_i64().unwrap(), leaves)
        })
        .collect();
    let expected = [(999.5, 41, "e=41 g=12 k=34 m=36"), (40.5, 36, "n=5"), (35.5, 35, "o=35"), (34.5, 35, "r=50 s=36")];
    assert_eq!(passes_found, expected.map(|(gamma, g, leaves)| (gamma, g, leaves.to_owned())));
    assert_eq!(column(row["pass_details"].as_array().unwrap(), "failed_low"), [true, true, true, false]);
}

#[test]
fn the_nodes_have_the_bounds_of_the_figures() {
    let row = on_paper("--algorithm sss");
    let bounds = |pass: usize| -> Vec<(String, i64, i64)> {
        let nodes = row["pass_details"][pass]["nodes"].as_array().unwrap().iter();
        let bound = |node: &Json, field: &str| node[field].as_i64().unwrap();
        nodes
            .map(|node| (node["name"].as_str().unwrap().to_owned(), bound(node, "lower"), bound(node, "upper")))
            .collect()
    };
    let upper = |name: &str, upper| (name.to_owned(), -32_767, upper);
    let first = [("a", 41), ("b", 41), ("c", 41), ("d", 41), ("f", 12), ("h", 36), ("i", 36), ("j", 34), ("l", 36)];
    assert_eq!(bounds(0), first.map(|(name, bound)| upper(name, bound)));
    let second = [("a", 36), ("b", 12), ("c", 12), ("d", 5), ("f", 12), ("h", 36)];
    assert_eq!(bounds(1), second.map(|(name, bound)| upper(name, bound)));
    let last = bounds(3);
    for exact in ["a", "h", "i", "l"] {
        assert!(last.contains(&(exact.to_owned(), 35, 35)), "{exact}: {last:?}");
    }
    for above in ["p", "q"] {
        assert!(last.contains(&(above.to_owned(), 36, 32_767)), "{above}: {last:?}");
    }
}

#[test]
fn dual_approaches_from_below() {
    let row = on_paper("--algorithm dual");
    assert_eq!((&row["value"], &row["nbp"]), (&json!(35), &json!(12)));
    assert_eq!(passes(&row).iter().map(|(_, g)| *g).collect::<Vec<_>>(), [5, 12, 34, 35, 35]);
    assert_eq!(integers(&row["leaves"]).len(), 12);
}

#[test]
fn alpha_beta_evaluates_twelve_leaves() {
    let row = on_paper("--algorithm alpha-beta");
    assert_eq!((&row["value"], &row["passes"]), (&json!(35), &json!(1)));
    assert_eq!(integers(&row["leaves"]), [41, 5, 12, 90, 101, 80, 34, 80, 36, 35, 50, 36]);
}

#[test]
fn mtd_f_from_35_proves_it_in_two_passes() {
    let row = on_paper("--algorithm mtd-f-figure8 --first 35");
    assert_eq!((&row["value"], &row["nbp"]), (&json!(35), &json!(8)));
    assert_eq!(passes(&row), [(35.5, 35), (34.5, 35)]);
    let later = on_paper("--algorithm mtd-f --first 35");
    assert_eq!((&later["value"], &later["nbp"]), (&json!(35), &json!(8)));
    assert_eq!(passes(&later), [(34.5, 35), (35.5, 35)]);
}

#[test]
fn stockman_sss_evaluates_the_same_leaves_in_the_same_order() {
    for (driver, oracle) in [("sss", "stockman-sss"), ("dual", "stockman-dual")] {
        let (driver, oracle) = (on_paper(&format!("-a {driver}")), on_paper(&format!("-a {oracle}")));
        assert_eq!(driver["leaves"], oracle["leaves"]);
        assert_eq!(driver["value"], oracle["value"]);
    }
}

#[test]
fn every_algorithm_finds_35() {
    let names = [
        "mtd-f",
        "mtd-gallop",
        "mtd-bi",
        "mtd-step",
        "mtd-step:7",
        "negascout",
        "scout",
        "aspiration-negascout",
        "minimax",
    ];
    for name in names {
        let row = on_paper(&format!("--algorithm {name}"));
        assert_eq!((&row["value"], &row["best_move"]), (&json!(35), &json!("1")), "{name}");
    }
    for name in ["mtd-best", "mtd-best-disprove-rest", "bns"] {
        let row = on_paper(&format!("--algorithm {name}"));
        assert_eq!((&row["value"], &row["best_move"]), (&Json::Null, &json!("1")), "{name}");
        assert!(row["lower"].as_i64().unwrap() <= 35 && 35 <= row["upper"].as_i64().unwrap(), "{name}");
        // A pass of MTD-best searches one child, which the record names.
        let details = row["pass_details"].as_array().unwrap();
        assert!(!details.is_empty() && details.iter().all(|pass| pass["about"].is_string()), "{name}");
    }
}

#[test]
fn trees_are_read_from_files_and_standard_input() {
    let folder = Folder::new("trees");
    let list = folder.file("list.txt", "((41 5)\n (12 90))\n");
    let json = folder.file("tree.json", "[[41, 5], [12, 90]]");
    let (list, json) = (emtee(&format!("tree {list} --json")).row(), emtee(&format!("tree {json} --json")).row());
    let piped = emtee_reading("tree - --json", b"((41 5) (12 90))").row();
    assert_eq!((&list["value"], &list["position"]), (&json!(12), &json!("((41 5) (12 90))")));
    for row in [&json, &piped] {
        for field in ["value", "position", "leaves", "nbp", "best_move"] {
            assert_eq!(row[field], list[field], "{field}");
        }
    }
    let won = emtee_reading("tree - --json --algorithm mtd-f", b"((win 3) (win win))").row();
    assert_eq!((&won["win_in"], &won["best_move"]), (&json!(2), &json!("1")));
}

#[test]
fn infinity_is_an_option() {
    let row = emtee_reading("tree - --json --infinity 500", b"((41 5) (12 90))").row();
    assert_eq!(passes(&row)[0], (499.5, 41));
    let row = on_paper("--infinity 2000");
    assert_eq!(passes(&row)[0], (1999.5, 41));
}

#[test]
fn a_small_table_costs_leaves_and_keeps_the_value() {
    let enough = integers(&on_paper("--entries 4096")["leaves"]);
    assert_eq!(enough, integers(&on_paper("")["leaves"]));
    for algorithm in ["sss", "dual", "mtd-f", "mtd-bi", "negascout"] {
        let row = on_paper(&format!("--algorithm {algorithm} --entries 1"));
        assert_eq!(row["value"], 35, "{algorithm}");
    }
    // With one entry each pass starts without the results of the one before.
    let small = on_paper("--entries 1");
    assert!(integers(&small["leaves"]).len() > enough.len(), "{small}");
    // An oracle has no table.
    let rows = emtee("tree paper --compare stockman-sss,sss --entries 1 --json").rows();
    assert_eq!(column(&rows, "value"), [35, 35]);
    assert_eq!((&rows[0]["nbp"], &rows[1]["nbp"]), (&json!(8), &small["nbp"]));
}

/// Asserts that tags are nested correctly and attributes are quoted. Returns the names of the elements.
fn well_formed(svg: &str) -> Vec<&str> {
    let (mut open, mut elements, mut rest) = (Vec::new(), Vec::new(), svg);
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains(['>', '&']), "stray text: {}", &rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        assert!(tag.matches('"').count().is_multiple_of(2), "<{tag}>");
        let name = tag.split([' ', '/']).next().unwrap();
        elements.push(name);
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    elements
}

#[test]
fn the_passes_are_drawn() {
    let folder = Folder::new("svg");
    let file = folder.path("passes.svg");
    let row = emtee(&format!("tree paper --svg {file} --json")).row();
    assert_eq!(row["value"], 35);
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "));
    let elements = well_formed(&svg);
    let count = |name: &str| elements.iter().filter(|element| **element == name).count();
    assert_eq!((count("svg"), count("g")), (1, 4));
    // Four drawings of 31 nodes and 30 edges; MAX has 5 squares inside and 16 leaves, MIN the 10 circles.
    assert_eq!((count("path"), count("circle"), count("rect")), (4 * 30, 4 * 10, 4 * 21 + 1));
    assert!(svg.contains("Pass 1: γ = 999.5, g = 41, fails low: f ≤ 41"), "{svg}");
    assert!(svg.contains("new leaves e = 41, g = 12, k = 34, m = 36"));

    let run = emtee(&format!("tree paper --svg {file}"));
    assert!(run.text().ends_with(&format!("passes drawn in {file}\n")));

    // Two algorithms have two columns, with four and two passes.
    emtee(&format!("tree paper --compare sss,mtd-f --first 35 --svg {file}")).text();
    let svg = std::fs::read_to_string(&file).unwrap();
    let elements = well_formed(&svg);
    assert_eq!(elements.iter().filter(|element| **element == "g").count(), 4 + 2);
    assert!(svg.contains("<title>sss and mtd-f, pass by pass</title>"));
    assert!(svg.contains("sss, pass 4: γ = 34.5") && svg.contains("mtd-f, pass 2: "), "{svg}");
}

/// The letter of the leaf 34.
fn letter_of_34(algorithm: &str) -> String {
    let row = on_paper(&format!("--algorithm {algorithm}"));
    let leaves = row["pass_details"].as_array().unwrap().iter().flat_map(|pass| pass["leaves"].as_array().unwrap());
    let leaf = leaves.clone().find(|leaf| leaf["value"] == 34).expect("it is evaluated");
    leaf["name"].as_str().unwrap().to_owned()
}

#[test]
fn a_node_has_the_same_letter_with_every_algorithm() {
    for algorithm in ["sss", "mtd-f", "dual", "alpha-beta", "minimax", "stockman-sss", "mtd-best"] {
        assert_eq!(letter_of_34(algorithm), "k", "{algorithm}");
    }
}

#[test]
fn two_algorithms_are_shown_side_by_side() {
    let run = emtee("tree paper --compare sss,dual");
    let text = run.text();
    assert!(text.contains("   1  γ = 999.5  41  e=41 g=12 k=34 m=36  γ = -999.5   5  e=41 n=5"), "{text}");
    assert!(text.contains("│  │  └─ ○ f    ≤ 12  = 12\n"), "{text}");
    assert!(text.contains("sss: value 35, 4 passes, 8 leaves evaluated of 16\n"), "{text}");
    assert!(text.contains("leaves of sss only: none\nleaves of dual only: "), "{text}");
    let rows = emtee("tree paper --compare sss,dual --json").rows();
    assert_eq!(column(&rows, "algorithm"), ["sss", "dual"]);
    assert_eq!(column(&rows, "nbp"), [8, 12]);
    // --first applies to the algorithms that begin with a guess.
    let rows = emtee("tree paper --compare sss,mtd-f --first 35 --json").rows();
    assert_eq!(column(&rows, "passes"), [4, 2]);
    for (line, message) in [
        ("--compare sss", "name two algorithms, like sss,mtd-f"),
        ("--compare sss,sss", "name two different algorithms"),
        ("--compare sss,mtdg", "did you mean 'mtd-f'?"),
        ("--compare sss,dual --first 3", "sss does not begin with a guess"),
        ("--compare sss,dual --algorithm sss", "--algorithm"),
    ] {
        let run = emtee(&format!("tree paper {line}"));
        assert!(run.code == Some(2) && run.stderr.contains(message), "{line}: {run:?}");
    }
}

#[cfg(feature = "web")]
#[test]
fn a_page_steps_through_the_passes() {
    let folder = Folder::new("html");
    let file = folder.path("lecture.html");
    let run = emtee(&format!("tree paper --compare sss,mtd-f --html {file}"));
    assert!(run.text().ends_with(&format!("page to step through the passes written to {file}\n")));
    let page = std::fs::read_to_string(&file).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<title>sss and mtd-f on the paper's tree</title>"));
    let data = page.split("id=\"recording\">").nth(1).unwrap().split("</script>").next().unwrap();
    let recording: Json = serde_json::from_str(data).unwrap();
    assert_eq!(column(recording["runs"].as_array().unwrap(), "value"), [35, 35]);
    // The page is self-contained.
    assert!(!page.contains("src=\"") && !page.contains("<link") && !page.contains("@import"));
    let mut wide = String::from("(");
    (0..2_000).for_each(|leaf| wide += &format!("{leaf} "));
    let refused = emtee_reading(&format!("tree - --html {file}"), (wide + ")").as_bytes());
    assert_eq!((refused.code, refused.stderr.contains("cannot be drawn")), (Some(2), true), "{refused:?}");
}
