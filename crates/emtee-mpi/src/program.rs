//! The program that every rank runs.

use std::process::ExitCode;
use std::rc::Rc;

use emtee_engine::{Kit, Playable};

use crate::ranks::Ranks;
use crate::workers::RankWorkers;
use crate::{commands, handshake, serve};

/// The program, with the games that come with emtee.
pub fn program() -> Program {
    Program { program: emtee_cli::program() }
}

/// The program that every rank runs.
pub struct Program {
    program: emtee_cli::Program,
}

impl Program {
    /// Adds a game.
    pub fn game<G: Playable>(self, name: &str) -> Program {
        Program { program: self.program.game::<G>(name) }
    }

    /// Adds a game with a kit: notation, evaluators, a drawing and more.
    pub fn game_with<G: Playable>(self, name: &str, kit: Kit<G>) -> Program {
        Program { program: self.program.game_with(name, kit) }
    }

    /// Runs with the arguments of the process. Exit code 0; 1 for a failure; 2 for bad input, reported by rank 0 in one line.
    pub fn run(self) -> ExitCode {
        let arguments: Vec<String> =
            std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
        for (old, new) in [("--letters", "--packets"), ("--letter", "--packet-cost")] {
            if commands::is_named(&arguments)
                && arguments.iter().any(|argument| argument.split('=').next() == Some(old))
            {
                eprintln!("warning: {old} is now called {new}; the next version accepts only the new name");
            }
        }
        if commands::is_local(&arguments) {
            // If mpirun has started several processes, one of them does the work.
            let redundant = std::env::var("OMPI_COMM_WORLD_RANK").is_ok_and(|rank| rank != "0");
            return if redundant { ExitCode::SUCCESS } else { commands::run(None, self.program.registry()) };
        }
        let ranks = match Ranks::join() {
            Ok(ranks) => Rc::new(ranks),
            Err(why) => return complain(&why, 2),
        };
        if commands::is_named(&arguments) {
            return commands::run(Some(&*ranks), self.program.registry());
        }
        if ranks.rank() > 0 {
            return serve::serve(&ranks, &self.program);
        }
        let hosts = match handshake::gather(&ranks) {
            Ok(hosts) => hosts,
            Err(why) => return ranks.finish(complain(&why, 2)),
        };
        if ranks.size() == 1 {
            // The only rank: the cores of this machine do the work.
            return ranks.finish(self.program.run());
        }
        let code = self.program.workers(RankWorkers::new(ranks.clone(), hosts)).run();
        ranks.finish(code)
    }
}

/// Prints an error message of one line and returns the exit code.
pub(crate) fn complain(why: &str, code: u8) -> ExitCode {
    eprintln!("error: {why}");
    ExitCode::from(code)
}
