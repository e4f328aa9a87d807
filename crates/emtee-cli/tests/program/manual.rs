//! `emtee completions` and `emtee man`.

use crate::{Folder, emtee};

#[test]
fn every_shell_has_completions() {
    for (shell, part) in [
        ("bash", "_emtee()"),
        ("zsh", "#compdef emtee"),
        ("fish", "complete -c emtee"),
        ("powershell", "emtee"),
        ("elvish", "emtee"),
    ] {
        let run = emtee(&format!("completions {shell}"));
        assert!(run.text().contains(part) && run.text().contains("compare"), "{shell}");
    }
    let run = emtee("completions tcsh");
    assert_eq!((run.code, run.stderr.lines().count()), (Some(2), 1), "{run:?}");
    assert_eq!(emtee("completions bash --json").stderr, "error: completions has no JSON output; leave --json out\n");
}

#[test]
fn every_command_has_a_manual_page() {
    let page = emtee("man");
    assert!(page.text().contains(".TH EMTEE 1") && page.text().contains("compare"), "{}", page.text());
    let folder = Folder::new("man");
    let run = emtee(&format!("man --out {}", folder.path("man1")));
    assert!(run.text().contains(" pages in "), "{}", run.text());
    for name in ["emtee", "emtee-search", "emtee-play", "emtee-man"] {
        let page = std::fs::read_to_string(folder.path(&format!("man1/{name}.1"))).unwrap();
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{name}");
    }
    assert_eq!(emtee("man --out /dev/null/x").code, Some(1));
}
