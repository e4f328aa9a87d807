//! `emtee play`: a game between the user and the engine.

mod args;
mod ctrl_c;
mod game;
mod input;
mod parse;
mod screen;

use emtee_engine::Registry;

pub(crate) use self::args::PlayArgs;
use self::game::TerminalGame;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(registry: &Registry, args: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    let game = registry.get(&args.game)?;
    TerminalGame::new(game, args, output)?.run()
}
