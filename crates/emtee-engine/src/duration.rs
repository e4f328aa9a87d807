//! Durations as text.

use std::time::Duration;

/// Reads `5s`, `200ms`, `2m`, `1.5s` or `1h`. A bare number is in seconds.
///
/// ```
/// use std::time::Duration;
/// assert_eq!(emtee_engine::read_duration("200ms"), Ok(Duration::from_millis(200)));
/// assert_eq!(emtee_engine::read_duration("soon"), Err("write a time like 5s, 200ms or 2m".into()));
/// ```
pub fn read_duration(text: &str) -> Result<Duration, String> {
    let bad = || String::from("write a time like 5s, 200ms or 2m");
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..digits].parse().map_err(|_| bad())?;
    let unit = match text[digits..].trim() {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(bad()),
    };
    Duration::try_from_secs_f64(number * unit).ok().filter(|d| *d <= Duration::from_secs(86_400 * 365)).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(read_duration("1.5s"), Ok(Duration::from_millis(1_500)));
        assert_eq!(read_duration("2m"), Ok(Duration::from_secs(120)));
        for bad in ["", "s", "-5s", "5 parsecs", "1e400s", "99999999999999999999h", "..s", "5µs"] {
            assert!(read_duration(bad).is_err(), "{bad}");
        }
    }
}
