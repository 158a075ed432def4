//! What makes the program at home in a shell: completions and manual pages.

mod common;

use common::{Folder, kontakt, stderr, stdout, text};
use std::process::Command;

#[test]
fn every_shell_gets_a_script_that_knows_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = kontakt(["completions", shell]);
        assert!(output.status.success(), "{shell}: {}", stderr(&output));
        let script = stdout(&output);
        for word in ["take-out", "clearance", "time-limit"] {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
    assert_eq!(kontakt(["completions", "csh"]).status.code(), Some(2));
}

#[test]
fn bash_takes_its_script() {
    let folder = Folder::new();
    let script = folder.file("kontakt.bash", stdout(&kontakt(["completions", "bash"])));
    match Command::new("bash").arg("-n").arg(&script).output() {
        Ok(output) => assert!(output.status.success(), "{}", stderr(&output)),
        Err(error) => println!("skipped: no bash ({error})"),
    }
}

#[test]
fn every_command_has_a_page() {
    let folder = Folder::new();
    let man = folder.path("man/man1");
    let output = kontakt(["man", text(&man)]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = |name: &str| std::fs::read_to_string(man.join(name)).unwrap_or_default();
    assert!(page("kontakt.1").contains("take\\-out"));
    let check = page("kontakt-check.1");
    // Its own options, those of every command, and the text below them.
    for words in ["clearance", "threads", "kontakt check"] {
        assert!(check.contains(words), "{words} is missing:\n{check}");
    }
    assert!(!page("kontakt-hierarchy-build.1").is_empty());
    assert!(folder.path("man/man1/kontakt-help.1").metadata().is_err());
}
