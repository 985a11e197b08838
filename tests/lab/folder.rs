//! The laboratory as a folder.

use std::process::Command;

use tempfile::TempDir;

use crate::html::chromium::{self, Chromium};

#[test]
fn the_steps_of_the_examples_are_recorded() {
    let folder = TempDir::new().unwrap();
    let target = folder.path().join("lab");
    let made = Command::new(env!("CARGO_BIN_EXE_ult"))
        .args(["lab", "--output"])
        .arg(&target)
        .status()
        .unwrap();
    assert!(made.success());
    let page = std::fs::read_to_string(target.join("index.html")).unwrap();
    assert!(page.contains("n == x + y + z") && target.join("report-1.html").exists());
    let Some(name) = chromium::installed() else {
        return;
    };
    let mut browser = Chromium::start(name);
    browser.open(&target.join("index.html"), "");
    assert!(browser.text("#verdict").contains("SAFE"));
    browser.value("document.querySelector('#begin').click()");
    browser.value("document.querySelectorAll('#ask input')[0].click()");
    browser.value("document.querySelector('#ask button[type=submit]').click()");
    let wait = "new Promise((done) => setTimeout(done, 100))";
    browser.value(wait);
    assert!(browser.text("#feedback").contains("Right"));
    assert_eq!(browser.text("#score"), "Predictions: 1 of 1 right");
    // To the end.
    for _ in 0..12 {
        browser.value("[...document.querySelectorAll('#ask button')].find((b) => /Show the step|engine’s$/.test(b.textContent))?.click()");
        browser.value(wait);
    }
    assert!(
        browser.text("#verdict").contains("SAFE"),
        "{}",
        browser.text("body")
    );
    // What needs a solver says so.
    browser.value("document.querySelector('#text').value += ' '");
    browser.value("document.querySelector('#check').click()");
    browser.value(wait);
    assert!(browser.text("#trouble").contains("ult lab"));
    assert_eq!(browser.complaints, [""; 0]);
    // It asks nobody.
    assert_eq!(browser.foreign(&["file:", "data:"]), [""; 0]);
}
