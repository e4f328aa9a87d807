//! The options of the Rust builder, from keyword arguments of the same names.

use std::ffi::CString;
use std::str::FromStr;
use std::sync::Arc;

use emtee::research::{Deepening, Keep, Mode, Options, Reuse};
use emtee::{Alarm, Bounds, MoveOrdering, Selective, Size, Value};
use pyo3::exceptions::{PyDeprecationWarning, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::refused;
use crate::search::Setup;

/// What a player is made with: the options, and what they do not hold.
pub(crate) struct Given {
    pub(crate) options: Options,
    /// Whether the user named the algorithm.
    pub(crate) algorithm_is_chosen: bool,
    pub(crate) driver: Option<Arc<Py<PyAny>>>,
    pub(crate) evaluate: Option<Arc<Py<PyAny>>>,
    pub(crate) grain: Option<i32>,
    /// Whether what is left out is what the game says.
    pub(crate) as_game_selects: bool,
    etc: Option<u8>,
    selective: Selective,
    pub(crate) in_play: bool,
    pub(crate) keep_positions: Option<u64>,
    /// Whether Ctrl-C ends `think` with what was found rather than with an exception.
    pub(crate) return_on_interrupt: bool,
}

/// The names that are known, for whoever mistypes one.
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

fn parsed<T: FromStr<Err = emtee::Error>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    value.str()?.to_cow()?.parse().map_err(refused)
}

/// One of a few words.
fn chosen<T: Copy>(name: &str, value: &Bound<'_, PyAny>, choices: &[(&str, T)]) -> PyResult<T> {
    let word = value.str()?;
    let word = word.to_cow()?;
    let found = choices.iter().find(|(known, _)| *known == word).map(|(_, choice)| *choice);
    found.ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(known, _)| *known).collect();
        refused(format!("'{word}' is not a choice for {name}; choose {}", names.join(" or ")))
    })
}

fn callable(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Arc<Py<PyAny>>>> {
    match value.is_callable() {
        true => Ok(Some(Arc::new(value.clone().unbind()))),
        false => Err(PyTypeError::new_err(format!("{name} is a function"))),
    }
}

fn value(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let number: i64 = value.extract()?;
    let found = i32::try_from(number).ok().and_then(Value::from_integer);
    found.ok_or_else(|| refused(format!("{name}: no position has the value {number}")))
}

/// The paper's −∞ and +∞ are not values of positions.
fn limit(number: i64) -> Value {
    Value::default() + number.clamp(-40_000, 40_000) as i32
}

impl Given {
    pub(crate) fn new(given: Option<&Bound<'_, PyDict>>) -> PyResult<Given> {
        let options = Options::default();
        let mut new = Given {
            options,
            algorithm_is_chosen: false,
            driver: None,
            evaluate: None,
            grain: None,
            as_game_selects: false,
            etc: None,
            selective: Selective::NONE,
            in_play: false,
            keep_positions: None,
            return_on_interrupt: false,
        };
        for (name, value) in given.into_iter().flat_map(|given| given.iter()) {
            let name: String = name.extract()?;
            // None is what it is where nobody says anything.
            if !value.is_none() || !NAMES.contains(&name.as_str()) {
                new.set(&name, &value)?;
            }
        }
        if new.driver.is_some() && new.algorithm_is_chosen {
            return Err(refused("a driver of your own takes the place of the algorithm; give one of the two"));
        }
        let selects = new.as_game_selects || new.selective.is_on();
        if selects && new.etc.is_some_and(|etc| etc > 0) {
            return Err(refused("selective search has no enhanced transposition cutoffs; leave out etc or selective"));
        }
        new.options.mode = if new.selective.is_on() { new.selective.into() } else { Mode::Exact { etc: new.etc } };
        Ok(new)
    }

    /// What a search is made from.
    pub(crate) fn setup(&self, alarm: Arc<Alarm>) -> Setup {
        let (driver, evaluate) = (self.driver.clone(), self.evaluate.clone());
        let Given { options, algorithm_is_chosen, grain, as_game_selects, .. } = *self;
        let order_is_chosen = options.ordering.is_some();
        Setup { options, driver, evaluate, grain, as_game_selects, algorithm_is_chosen, order_is_chosen, alarm }
    }

    fn set(&mut self, name: &str, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let options = &mut self.options;
        match name {
            "algorithm" => (options.algorithm, self.algorithm_is_chosen) = (parsed(given)?, true),
            "driver" => self.driver = callable(name, given)?,
            "evaluate" => self.evaluate = callable(name, given)?,
            "hash" => options.size = Some(parsed(given)?),
            "entries" => options.size = Some(Size::of_entries(given.extract()?)),
            "keep" => options.keep = Some(parsed::<Keep>(given)?),
            "reuse" => {
                let choices = [("equal-depth", Reuse::EqualDepth), ("at-least-depth", Reuse::AtLeastDepth)];
                options.reuse = Some(chosen(name, given, &choices)?);
            }
            "store_leaves" => options.store_leaves = Some(given.extract()?),
            "etc" => self.etc = Some(given.extract()?),
            "ordering" => options.ordering = Some(ordering(given)?),
            "selective" if given.eq("game")? => self.as_game_selects = true,
            "selective" => {
                self.selective = parsed::<Selective>(given)?;
                for (old, new) in Selective::deprecated(given.str()?.to_cow()?.as_ref()) {
                    let message = format!("'{old}' is called {new} now; the next version reads the new name only");
                    let category = given.py().get_type::<PyDeprecationWarning>();
                    PyErr::warn(given.py(), &category, &CString::new(message)?, 1)?;
                }
            }
            "fixed_depth" if !given.extract::<bool>()? => {}
            "deepen_by" | "fixed_depth" if options.deepening != Deepening::Auto => {
                return Err(refused("a search of fixed depth does not deepen; leave out deepen_by or fixed_depth"));
            }
            "deepen_by" => options.deepening = Deepening::By(given.extract()?),
            "fixed_depth" => options.deepening = Deepening::Fixed,
            "guess" => options.guess = parsed(given)?,
            "first_guess" => options.first_guess = Some(value(name, given)?),
            "range" => {
                let (lower, upper): (i64, i64) = given.extract()?;
                if lower >= upper {
                    return Err(refused(format!("range: {lower} is not below {upper}")));
                }
                options.range = Bounds { lower: limit(lower), upper: limit(upper) };
            }
            "principal_variation" => options.principal_variation = given.extract()?,
            "threads" => options.threads = given.extract()?,
            "share_from" => options.share_from = given.extract()?,
            "grain" => match given.extract()? {
                grain @ 1.. => self.grain = Some(grain),
                grain => return Err(refused(format!("a grain of {grain} rounds nothing; choose 1 or more"))),
            },
            "in_play" => self.in_play = given.extract()?,
            "keep_positions" => self.keep_positions = Some(given.extract()?),
            "interrupt" => {
                self.return_on_interrupt = chosen(name, given, &[("raise", false), ("return", true)])?;
            }
            _ => {
                let nearest = emtee_engine::nearest(name, NAMES).unwrap_or("algorithm");
                return Err(PyTypeError::new_err(format!("there is no option '{name}'; did you mean '{nearest}'?")));
            }
        }
        Ok(())
    }
}

/// What sorts the moves: words with commas or spaces between, `full`, `hints` or `as-given`.
fn ordering(given: &Bound<'_, PyAny>) -> PyResult<MoveOrdering> {
    let text = given.str()?;
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
                return Err(refused(format!(
                    "'{word}' is not an ordering; choose full, as-given, or some of table-move, hints, killers and history"
                )));
            }
        }
    }
    Ok(by)
}
