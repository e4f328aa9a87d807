//! One search on many real ranks.

mod launch;

use std::time::Duration;

use launch::Job;

fn rows(ranks: usize, arguments: &[&str]) -> Vec<serde_json::Value> {
    let output = Job::new(ranks, arguments).output();
    assert!(output.status.success(), "{}", output.stderr);
    output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn two_thousand_random_searches_agree_with_minimax() {
    for ranks in 1..=4 {
        let searches = ["verify", "--searches", "500", "--json", "--seed", &ranks.to_string()];
        let row = rows(ranks, &searches).pop().unwrap();
        assert_eq!((row["ranks"].as_u64(), row["searches"].as_u64()), (Some(ranks as u64), Some(500)));
        assert!(ranks == 1 || row["messages"].as_u64() > Some(1_000), "the ranks exchange too few messages: {row}");
    }
}

#[test]
fn values_are_the_same_on_any_number_of_ranks() {
    for (game, depth) in [("othello", "7"), ("kalah", "8"), ("chess", "4")] {
        let arguments = ["search", game, "--depth", depth, "--json"];
        let value = |ranks: usize| {
            let all = rows(ranks, &arguments);
            let last = all.iter().rfind(|row| row["value"].is_i64()).unwrap().clone();
            assert_eq!(last["depth"].to_string(), depth);
            (last["value"].clone(), all)
        };
        let (one, _) = value(1);
        for ranks in [2, 3] {
            let (several, all) = value(ranks);
            assert_eq!(several, one, "{game}");
            let summary = all.last().unwrap();
            assert_eq!(summary["ranks"].as_u64(), Some(ranks as u64));
        }
    }
}

#[test]
fn a_search_with_a_limit_ends_on_all_ranks() {
    let all = rows(3, &["search", "connect4", "--time", "300ms", "--json"]);
    assert_eq!(all.last().unwrap()["ranks"].as_u64(), Some(3));
    let all = rows(2, &["search", "chess", "--nodes", "20000", "--threads", "2", "--json"]);
    assert!(all.iter().any(|row| row["complete"] == false), "{all:?}");
}

#[test]
fn searches_for_one_process_are_refused_once() {
    for (arguments, says) in [
        (vec!["search", "chess", "--algorithm", "mtd-best"], "mtd-best is for one process"),
        (vec!["search", "chess", "--algorithm", "minimax", "--depth", "2"], "minimax is for one process"),
        (vec!["search", "chess", "--in-play"], "--in-play is for one process"),
        (vec!["verify", "--searches", "0"], "0"),
        (vec!["search", "go"], "go"),
    ] {
        let output = Job::new(3, &arguments).output();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", output.stderr);
        assert_eq!(output.stderr.matches("error:").count(), 1, "{}", output.stderr);
        assert!(output.stderr.contains(says), "{}", output.stderr);
    }
}

#[test]
fn a_rank_that_is_killed_or_hangs_ends_the_search() {
    for (signal, says) in [("KILL", "rank 1"), ("STOP", "rank 1 has been silent for 2 seconds")] {
        let job = Job::new(3, &["search", "chess", "--depth", "30"]).patience("2s").start();
        std::thread::sleep(Duration::from_millis(2_000));
        job.signal_rank(1, signal);
        let output = job.ends_within(Duration::from_secs(30));
        assert!(!output.status.success(), "{}", output.stdout);
        assert!(output.stderr.contains(says), "{signal}: {}", output.stderr);
    }
}

#[test]
fn old_names_of_options_are_accepted_with_a_warning() {
    let output = Job::new(2, &["network", "--letters", "200", "--json"]).output();
    assert!(output.status.success(), "{}", output.stderr);
    assert!(output.stderr.contains("warning: --letters is now called --packets"), "{}", output.stderr);
}

#[test]
fn the_network_is_measured() {
    let all = rows(3, &["network", "--packets", "200", "--json"]);
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|row| row["latency_us"].as_f64() > Some(0.0) && row["packet_us"].as_f64() > Some(0.0)));
}
