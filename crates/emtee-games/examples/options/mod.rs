//! Options of the examples, `--name value`. An unknown option or an invalid value ends the program with a one-line
//! error.

use std::str::FromStr;

/// Ends the program if there is an option that is not in this list.
pub(crate) fn only(known: &[&str]) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    for pair in arguments.chunks(2) {
        match pair {
            [name, _] if known.contains(&name.as_str()) => {}
            [name] if known.contains(&name.as_str()) => refuse(&format!("{name} needs a value")),
            [name, ..] => refuse(&format!("there is no option {name:?}; there are {}", known.join(", "))),
            [] => {}
        }
    }
}

/// The value of an option, or the default.
pub(crate) fn option<T: FromStr>(name: &str, default: T) -> T {
    match std::env::args().skip_while(|argument| argument != name).nth(1) {
        None => default,
        Some(text) => text.parse().unwrap_or_else(|_| refuse(&format!("{name} cannot be {text:?}"))),
    }
}

fn refuse(why: &str) -> ! {
    eprintln!("{why}");
    std::process::exit(2)
}
