//! The options of the Rust builder, from keyword arguments of the same names.

use std::ffi::CString;
use std::str::FromStr;
use std::sync::Arc;

use emtee::research::{Deepening, Keep, Mode, Options, Reuse};
use emtee::{Algorithm, Bounds, MoveOrdering, Selective, Size, Stop, Value};
use pyo3::exceptions::{PyDeprecationWarning, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::emtee_error;
use crate::search::Setup;

/// The arguments of a player: the options of the Rust builder, and those that exist only in Python.
pub(crate) struct PlayerArguments {
    pub(crate) options: Options,
    /// Whether the user chose the algorithm.
    pub(crate) algorithm_is_chosen: bool,
    pub(crate) driver: Option<Arc<Py<PyAny>>>,
    pub(crate) evaluate: Option<Arc<Py<PyAny>>>,
    pub(crate) grain: Option<i32>,
    /// Whether selective search uses the settings of the game.
    pub(crate) selective_from_game: bool,
    etc: Option<u8>,
    selective: Selective,
    pub(crate) in_play: bool,
    pub(crate) keep_positions: Option<u64>,
    /// Whether after Ctrl-C `think` returns its result instead of raising an exception.
    pub(crate) return_on_interrupt: bool,
}

/// The names of the options, also for suggestions if a name is mistyped.
const NAMES: [&str; 23] = [
    "algorithm",
    "driver",
    "evaluate",
    "hash",
    "entries",
    "keep",
    "reuse",
    "store_leaves",
    "etc",
    "ordering",
    "selective",
    "deepen_by",
    "fixed_depth",
    "guess",
    "first_guess",
    "range",
    "principal_variation",
    "threads",
    "share_from",
    "grain",
    "in_play",
    "keep_positions",
    "interrupt",
];

/// The options that Monte-Carlo tree search has no use for.
const NOT_FOR_MCTS: [&str; 14] = [
    "keep",
    "reuse",
    "store_leaves",
    "etc",
    "ordering",
    "selective",
    "deepen_by",
    "fixed_depth",
    "guess",
    "first_guess",
    "range",
    "principal_variation",
    "share_from",
    "grain",
];

fn parsed<T: FromStr<Err = emtee::Error>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    value.str()?.to_cow()?.parse().map_err(emtee_error)
}

/// The choice that a word stands for.
fn parse_choice<T: Copy>(name: &str, value: &Bound<'_, PyAny>, choices: &[(&str, T)]) -> PyResult<T> {
    let word = value.str()?;
    let word = word.to_cow()?;
    let found = choices.iter().find(|(known, _)| *known == word).map(|(_, choice)| *choice);
    found.ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(known, _)| *known).collect();
        emtee_error(format!("'{word}' is not a choice for {name}; choose {}", names.join(" or ")))
    })
}

fn callable(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Arc<Py<PyAny>>>> {
    match value.is_callable() {
        true => Ok(Some(Arc::new(value.clone().unbind()))),
        false => Err(PyTypeError::new_err(format!("{name} must be a function"))),
    }
}

fn value(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let number: i64 = value.extract()?;
    let found = i32::try_from(number).ok().and_then(Value::from_integer);
    found.ok_or_else(|| emtee_error(format!("{name}: {number} is not a possible value of a position")))
}

/// An end of the range, which unlike the value of a position may be the paper's −∞ or +∞.
fn limit(number: i64) -> Value {
    Value::default() + number.clamp(-40_000, 40_000) as i32
}

impl PlayerArguments {
    pub(crate) fn new(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<PlayerArguments> {
        let options = Options::default();
        let mut new = PlayerArguments {
            options,
            algorithm_is_chosen: false,
            driver: None,
            evaluate: None,
            grain: None,
            selective_from_game: false,
            etc: None,
            selective: Selective::NONE,
            in_play: false,
            keep_positions: None,
            return_on_interrupt: false,
        };
        let mut given = Vec::new();
        for (name, value) in arguments.into_iter().flat_map(|arguments| arguments.iter()) {
            let name: String = name.extract()?;
            // None stands for the default.
            if !value.is_none() || !NAMES.contains(&name.as_str()) {
                new.set(&name, &value)?;
                given.push(name);
            }
        }
        if new.options.algorithm == Algorithm::Mcts
            && let Some(name) = given.iter().find(|name| NOT_FOR_MCTS.contains(&name.as_str()))
        {
            return Err(emtee_error(format!("mcts grows a tree of simulations; leave out {name}")));
        }
        if new.driver.is_some() && new.algorithm_is_chosen {
            return Err(emtee_error("a driver replaces the algorithm; give only one of the two"));
        }
        let selects = new.selective_from_game || new.selective.is_on();
        if selects && new.etc.is_some_and(|etc| etc > 0) {
            return Err(emtee_error(
                "selective search has no enhanced transposition cutoffs; leave out etc or selective",
            ));
        }
        new.options.mode = if new.selective.is_on() { new.selective.into() } else { Mode::Exact { etc: new.etc } };
        Ok(new)
    }

    /// The settings for building a search.
    pub(crate) fn setup(&self, stop: Stop) -> Setup {
        let (driver, evaluate) = (self.driver.clone(), self.evaluate.clone());
        let PlayerArguments { options, algorithm_is_chosen, grain, selective_from_game, .. } = *self;
        let ordering_is_chosen = options.ordering.is_some();
        Setup { options, driver, evaluate, grain, selective_from_game, algorithm_is_chosen, ordering_is_chosen, stop }
    }

    fn set(&mut self, name: &str, argument: &Bound<'_, PyAny>) -> PyResult<()> {
        let options = &mut self.options;
        match name {
            "algorithm" => (options.algorithm, self.algorithm_is_chosen) = (parsed(argument)?, true),
            "driver" => self.driver = callable(name, argument)?,
            "evaluate" => self.evaluate = callable(name, argument)?,
            "hash" => options.size = Some(parsed(argument)?),
            "entries" => options.size = Some(Size::of_entries(argument.extract()?)),
            "keep" => options.keep = Some(parsed::<Keep>(argument)?),
            "reuse" => {
                let choices = [("equal-depth", Reuse::EqualDepth), ("at-least-depth", Reuse::AtLeastDepth)];
                options.reuse = Some(parse_choice(name, argument, &choices)?);
            }
            "store_leaves" => options.store_leaves = Some(argument.extract()?),
            "etc" => self.etc = Some(argument.extract()?),
            "ordering" => options.ordering = Some(ordering(argument)?),
            "selective" if argument.eq("game")? => self.selective_from_game = true,
            "selective" => {
                self.selective = parsed::<Selective>(argument)?;
                for (old, new) in Selective::deprecated(argument.str()?.to_cow()?.as_ref()) {
                    let message = format!("'{old}' is now called {new}; the next version accepts only the new name");
                    let category = argument.py().get_type::<PyDeprecationWarning>();
                    PyErr::warn(argument.py(), &category, &CString::new(message)?, 1)?;
                }
            }
            "fixed_depth" if !argument.extract::<bool>()? => {}
            "deepen_by" | "fixed_depth" if options.deepening != Deepening::Auto => {
                return Err(emtee_error("a search of fixed depth does not deepen; leave out deepen_by or fixed_depth"));
            }
            "deepen_by" => options.deepening = Deepening::By(argument.extract()?),
            "fixed_depth" => options.deepening = Deepening::Fixed,
            "guess" => options.guess = parsed(argument)?,
            "first_guess" => options.first_guess = Some(value(name, argument)?),
            "range" => {
                let (lower, upper): (i64, i64) = argument.extract()?;
                if lower >= upper {
                    return Err(emtee_error(format!("range: {lower} is not below {upper}")));
                }
                options.range = Bounds { lower: limit(lower), upper: limit(upper) };
            }
            "principal_variation" => options.principal_variation = argument.extract()?,
            "threads" => options.threads = argument.extract()?,
            "share_from" => options.share_from = argument.extract()?,
            "grain" => match argument.extract()? {
                grain @ 1.. => self.grain = Some(grain),
                grain => return Err(emtee_error(format!("a grain of {grain} is not possible; choose 1 or more"))),
            },
            "in_play" => self.in_play = argument.extract()?,
            "keep_positions" => self.keep_positions = Some(argument.extract()?),
            "interrupt" => {
                self.return_on_interrupt = parse_choice(name, argument, &[("raise", false), ("return", true)])?;
            }
            _ => {
                let nearest = emtee_engine::nearest(name, NAMES).unwrap_or("algorithm");
                return Err(PyTypeError::new_err(format!("there is no option '{name}'; did you mean '{nearest}'?")));
            }
        }
        Ok(())
    }
}

/// Reads a move ordering: `full`, `hints`, `as-given` or others, separated by commas or spaces.
fn ordering(argument: &Bound<'_, PyAny>) -> PyResult<MoveOrdering> {
    let text = argument.str()?;
    let mut by = MoveOrdering::AS_GIVEN;
    for word in text.to_cow()?.split([',', ' ']).filter(|word| !word.is_empty()) {
        match word {
            "full" => by = MoveOrdering::FULL,
            "as-given" => by = MoveOrdering::AS_GIVEN,
            "table-move" => by.table_move = true,
            "hints" => by.hints = true,
            "killers" => by.killers = true,
            "history" => by.history = true,
            _ => {
                return Err(emtee_error(format!(
                    "'{word}' is not an ordering; choose full, as-given, or some of table-move, hints, killers and history"
                )));
            }
        }
    }
    Ok(by)
}
