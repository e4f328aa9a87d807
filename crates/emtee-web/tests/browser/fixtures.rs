//! Report folders: a small experiment that is run, and a written match of two games.

use std::fs;
use std::path::PathBuf;

use emtee_engine::Registry;
use emtee_lab::{Execution, Experiment, Plan};
use serde_json::json;

/// A folder that is deleted at the end of a test.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
}

const EXPERIMENT: &str = "title = \"small\"\nfigures = [11, 12]\n[[game]]\nname = \"connect4\"\ndepth = 5\npositions = { random = 2, plies = 4 }\n";

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("emtee-web-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder { path }
    }

    pub(crate) fn with_reports(name: &str) -> Folder {
        let folder = Folder::new(name);
        folder.experiment();
        folder.match_of_two_games();
        folder
    }

    fn experiment(&self) {
        let registry = Registry::standard();
        let experiment: Experiment = EXPERIMENT.parse().unwrap();
        let plan = Plan::new(experiment, &registry).unwrap();
        let small = self.path.join("small");
        emtee_lab::run(&plan, &registry, &small, &Execution::default(), &mut |_| ()).unwrap();
        emtee_lab::report(&plan, &registry, &small).unwrap();
    }

    fn match_of_two_games(&self) {
        let drivers = self.path.join("drivers");
        fs::create_dir_all(&drivers).unwrap();
        let game = |number: u32, first: &str, second: &str, half_points: u8| {
            json!({
                "game": "connect4", "number": number, "first": first, "second": second, "result": "1-0",
                "half_points": half_points, "ending": "position", "opening": 0,
                "moves": ["4", "1", "4", "1", "4", "1", "4"], "seconds": [0.1, 0.1], "overrun_ms": [0.0, 0.0],
            })
        };
        let lines = [
            json!({ "game": "connect4", "a": "mtd-f", "b": "sss" }),
            game(1, "mtd-f", "sss", 2),
            game(2, "sss", "mtd-f", 0),
        ];
        fs::write(drivers.join("match.jsonl"), lines.map(|line| format!("{line}\n")).concat()).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}
