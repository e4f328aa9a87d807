//! `emtee play`: a game against a person.

mod args;
mod game;
mod input;
mod leaving;
mod screen;
mod words;

use emtee_engine::Registry;

pub(crate) use self::args::PlayArgs;
use self::game::TerminalGame;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(registry: &Registry, args: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    let game = registry.get(&args.game)?;
    TerminalGame::new(game, args, output)?.run()
}
