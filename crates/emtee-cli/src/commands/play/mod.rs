//! `emtee play`: a game against a person.

mod input;
mod screen;
mod table;
mod words;

use emtee_engine::Registry;

use self::table::Table;
use crate::args_play::PlayArgs;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(registry: &Registry, args: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    let game = registry.get(&args.game)?;
    Table::new(game, args, output)?.sit_down()
}
