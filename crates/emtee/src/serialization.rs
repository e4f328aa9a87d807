//! Serialization with the feature `serde`: plain data field by field, numbers and names as their text or number.
//!
//! ```
//! use emtee::{Budget, Game, Value, player};
//! use emtee_games::kalah::Board;
//!
//! let found = player(Board::evaluate).build()?.think(&Board::default(), Budget::depth(3))?;
//! let value = serde_json::to_value(found.value)?;
//! assert_eq!(value, found.value.unwrap().get());
//! assert!(serde_json::from_str::<Value>("32500").is_err(), "no position has this value");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::string::{String, ToString};
use core::fmt::Display;
use core::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::algorithm::{Algorithm, Guess};
use crate::level::Level;
use crate::memory::table::{Keep, Size};
use crate::value::{Gamma, Value};

/// As an integer: a score, a proven win or loss, or the paper's ±∞.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i32(self.get())
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
        let number = i32::deserialize(from)?;
        let infinite = [Value::NEG_INFINITY, Value::INFINITY].into_iter().find(|value| value.get() == number);
        infinite.or(Value::from_integer(number)).ok_or_else(|| D::Error::custom(Unfit(number)))
    }
}

/// As its bound, the least integer above γ.
impl Serialize for Gamma {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i32(self.bound().get())
    }
}

impl<'de> Deserialize<'de> for Gamma {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Gamma, D::Error> {
        let bound = i32::deserialize(from)?;
        Gamma::with_bound(bound).ok_or_else(|| D::Error::custom(Unfit(bound)))
    }
}

struct Unfit(i32);

impl Display for Unfit {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} is not a possible value", self.0)
    }
}

/// As a number from 1 to 10.
impl Serialize for Level {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u8(self.get())
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Level, D::Error> {
        Level::new(u8::deserialize(from)?).map_err(D::Error::custom)
    }
}

fn read<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(from: D) -> Result<T, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

/// Types whose text is read again by `FromStr`.
macro_rules! as_text {
    ($($type:ty),*) => {$(
        /// As its text.
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(&self.to_string())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                read(from)
            }
        }
    )*};
}

as_text!(Algorithm, Guess, Keep, Size);
