//! The laboratory in a real browser, where one is installed.

use std::time::{Duration, Instant};

use super::Lab;
use crate::html::chromium::{self, Chromium};

/// Waits until an expression is true in the page.
fn until(browser: &mut Chromium, what: &str) {
    let start = Instant::now();
    while browser.value(what) != true {
        if start.elapsed() > Duration::from_secs(30) {
            let text = browser.text("body");
            panic!("{what} is not so:\n{text}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Tab, until the focus is where an expression about `e` says.
fn tab_to(browser: &mut Chromium, what: &str) {
    for _ in 0..80 {
        browser.press("Tab", false);
        if browser.value(&format!("((e) => Boolean({what}))(document.activeElement)")) == true {
            return;
        }
    }
    panic!("the keyboard does not lead to {what}");
}

/// Presses what the keyboard leads to.
fn push(browser: &mut Chromium, what: &str) {
    tab_to(browser, what);
    browser.press("Enter", false);
}

fn button(words: &str) -> String {
    format!("e.tagName === 'BUTTON' && e.textContent.startsWith('{words}')")
}

#[test]
fn p_is_proved_predicted_and_overridden_by_the_keyboard_alone() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let lab = Lab::start();
    let mut browser = Chromium::start(name);
    let start = Instant::now();
    browser.visit(&lab.address());
    until(
        &mut browser,
        "document.querySelector('#verdict').innerText.includes('SAFE')",
    );
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(5), "{taken:?}");
    assert!(browser.text("#result").contains("line 12: n == x + y + z"));
    browser.keep_picture("lab", "checked");
    // The refinement, step by step.
    push(&mut browser, &button("Step through"));
    until(
        &mut browser,
        "document.querySelector('#ask legend')?.innerText.startsWith('Which error path')",
    );
    browser.keep_picture("lab", "path");
    tab_to(&mut browser, "e.name === 'choice'");
    browser.press(" ", false);
    push(&mut browser, &button("Predict"));
    until(
        &mut browser,
        "document.querySelector('#feedback').innerText.includes('Right')",
    );
    assert!(
        browser
            .text("#step-text")
            .contains("start -> loop1 -> error1")
    );
    browser.keep_picture("lab", "feasible");
    // A wrong prediction.
    tab_to(&mut browser, "e.name === 'choice'");
    browser.press(" ", false);
    push(&mut browser, &button("Predict"));
    until(
        &mut browser,
        "document.querySelector('#feedback').innerText.includes('Not so')",
    );
    // An interpolant that is none: the model shows it.
    tab_to(&mut browser, "e.id === 'interpolant0'");
    browser.type_text("n == x + y");
    browser.press("Enter", false);
    until(
        &mut browser,
        "document.querySelector('#feedback table') !== null",
    );
    let refusal = browser.text("#feedback");
    assert!(
        refusal.contains("too weak") && refusal.contains("The model that shows it"),
        "{refusal}"
    );
    browser.keep_picture("lab", "refused");
    // One that is.
    tab_to(&mut browser, "e.id === 'interpolant0'");
    browser.value("document.activeElement.select()");
    browser.type_text("n == x + y + z");
    browser.press("Enter", false);
    until(
        &mut browser,
        "document.querySelector('#feedback').innerText.includes('These are interpolants')",
    );
    browser.keep_picture("lab", "accepted");
    push(&mut browser, &button("Go on with mine"));
    until(
        &mut browser,
        "document.querySelector('#ask legend')?.innerText.startsWith('Which abstract state is split')",
    );
    push(&mut browser, &button("Show the step"));
    until(
        &mut browser,
        "document.querySelector('#ask legend')?.innerText.startsWith('Which edges')",
    );
    browser.keep_picture("lab", "edges");
    push(&mut browser, &button("Go on to the end"));
    until(
        &mut browser,
        "document.querySelector('#verdict').innerText.includes('SAFE')",
    );
    assert_eq!(browser.text("#score"), "Predictions: 1 of 3 right");
    // Back and forth through what was shown.
    push(&mut browser, &button("Earlier step"));
    assert!(
        browser.text("#step h3").contains("slice"),
        "{}",
        browser.text("#step h3")
    );
    // The static report, in the same page.
    tab_to(
        &mut browser,
        "e.tagName === 'SUMMARY' && e.textContent.startsWith('The report')",
    );
    browser.press("Enter", false);
    until(
        &mut browser,
        "document.querySelector('iframe')?.contentDocument?.querySelector('#step-text') != null",
    );
    browser.keep_picture("lab", "report");
    assert_eq!(browser.complaints, [""; 0]);
    assert_eq!(browser.foreign(&[&lab.address(), "data:"]), [""; 0]);
}

#[test]
fn it_is_readable_in_light_and_dark_wide_and_narrow_and_names_everything() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let lab = Lab::start();
    let mut browser = Chromium::start(name);
    for (scheme, width) in [
        ("light", 1400),
        ("dark", 1400),
        ("light", 500),
        ("dark", 500),
    ] {
        browser.size(width, 1000, 1.0);
        browser.prefer(scheme);
        browser.visit(&lab.address());
        until(
            &mut browser,
            "document.querySelector('#verdict').innerText.includes('SAFE')",
        );
        browser.value("document.querySelector('#begin').click()");
        for _ in 0..2 {
            until(
                &mut browser,
                "document.body.dataset.status === 'waiting' && document.querySelector('#ask form') !== null",
            );
            let before = browser.text("#ask legend");
            browser.value("document.querySelector('#ask input').click()");
            browser.value("document.querySelector('#ask button[type=submit]').click()");
            let changed = format!(
                "document.querySelector('#ask legend')?.innerText !== {}",
                serde_json::json!(before)
            );
            until(&mut browser, &changed);
        }
        browser.value("(() => { const field = document.querySelector('#interpolant0'); field.value = 'n == x + y'; field.dispatchEvent(new Event('input')); })()");
        browser.value("document.querySelector('#ask button[type=submit]').click()");
        until(
            &mut browser,
            "document.querySelector('#feedback table') !== null",
        );
        if width == 500 {
            browser.value("document.querySelector('#refinement').scrollIntoView()");
        }
        browser.keep_picture("lab", &format!("{scheme}-{width}"));
        let wide = browser.value("document.documentElement.scrollWidth");
        assert!(wide.as_u64().unwrap() <= u64::from(width), "{wide}");
        let contrast = browser.value(CONTRAST);
        for found in contrast.as_array().unwrap() {
            assert!(found[1].as_f64().unwrap() >= 4.5, "{scheme}: {found}");
        }
    }
    let spoken = browser.spoken();
    let has = |role: &str, start: &str| {
        let mut all = spoken.iter();
        let found = all.any(|(r, name)| r == role && name.starts_with(start));
        assert!(found, "no {role} {start:?} in {spoken:?}");
    };
    for landmark in ["banner", "main", "contentinfo"] {
        has(landmark, "");
    }
    for heading in ["The laboratory", "Program", "Refinement", "Step 2"] {
        has("heading", heading);
    }
    has("textbox", "Text of the program");
    has("textbox", "At loop1 (line 12)");
    has("combobox", "Example");
    has("combobox", "Language");
    has("combobox", "with");
    has("status", "Verdict");
    has("status", "Score");
    has("status", "About the last answer");
    has("group", "The path is infeasible");
    has("region", "The model that shows it");
    has("image", "Abstract states: 3 nodes, 3 edges");
    for button in [
        "Check",
        "Step through the refinement",
        "Are these interpolants?",
        "Earlier step",
    ] {
        has("button", button);
    }
    for (role, name) in &spoken {
        let needs = [
            "button", "textbox", "combobox", "checkbox", "radio", "link", "region", "image",
            "status",
        ];
        assert!(
            !needs.contains(&role.as_str()) || !name.is_empty(),
            "{role} without a name"
        );
    }
}

/// The contrast of text and ground, by the formula of the Web Content Accessibility Guidelines.
const CONTRAST: &str = "(() => {
    const light = (colour) => {
        const [r, g, b] = colour.match(/[0-9.]+/g).map((v) => v / 255)
            .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element) => {
        const colour = getComputedStyle(element).backgroundColor;
        return colour === 'rgba(0, 0, 0, 0)' ? ground(element.parentElement) : colour;
    };
    const all = ['#step-text', '.note', '#text', '#gutter div', '#ask legend', '#ask .note', '#ask label', '#feedback strong', '#feedback td', 'button', 'footer'];
    return all.map((selector) => {
        const element = document.querySelector(selector);
        const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
        return [selector, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
    });
})()";
