//! The program that every rank runs.

use std::process::ExitCode;
use std::rc::Rc;

use emtee_cli::Drawn;
use emtee_engine::Playable;

use crate::crew::RankCrew;
use crate::ranks::Ranks;
use crate::{commands, handshake, serve};

/// The program, with the games that come with emtee.
pub fn program() -> Program {
    Program { program: emtee_cli::program() }
}

/// A program to be run by every rank.
pub struct Program {
    program: emtee_cli::Program,
}

impl Program {
    /// Adds a game.
    pub fn game<G: Playable>(self, name: &str) -> Program {
        Program { program: self.program.game::<G>(name) }
    }

    /// Adds a game whose boards can be painted.
    pub fn drawn_game<G: Playable + Drawn>(self, name: &str) -> Program {
        Program { program: self.program.drawn_game::<G>(name) }
    }

    /// Runs with the arguments of the process. Exit code 0; 1 for a failure; 2 for bad input, said in one line, by rank 0.
    pub fn run(self) -> ExitCode {
        let arguments: Vec<String> =
            std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
        if commands::is_alone(&arguments) {
            // If mpirun has started several all the same, one is enough.
            let further = std::env::var("OMPI_COMM_WORLD_RANK").is_ok_and(|rank| rank != "0");
            return if further { ExitCode::SUCCESS } else { commands::run(None, self.program.registry()) };
        }
        let ranks = match Ranks::join() {
            Ok(ranks) => Rc::new(ranks),
            Err(why) => return complain(&why, 2),
        };
        if commands::is_meant(&arguments) {
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
            // Nobody else is there: the cores of this machine do it.
            return ranks.finish(self.program.run());
        }
        let code = self.program.crew(RankCrew::new(ranks.clone(), hosts)).run();
        ranks.finish(code)
    }
}

/// One line, once.
pub(crate) fn complain(why: &str, code: u8) -> ExitCode {
    eprintln!("error: {why}");
    ExitCode::from(code)
}
