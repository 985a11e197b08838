//! The page in a real browser, where one is installed.

use super::chromium::{self, Chromium};
use super::{COUNT, Page, WRONG};

/// Keeps a picture of the page for people to look at.
fn keep_picture(browser: &mut Chromium, name: &str) {
    browser.keep_picture("html", name);
}

const PATH: [&str; 4] = ["--engine", "slicing", "--auxiliary", "none"];

#[test]
fn the_address_and_the_keys_choose_the_step() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let page = Page::of(COUNT, &PATH);
    let mut browser = Chromium::start(name);
    browser.open(&page.path(), "step=4");
    let status = "#step-text";
    let split = browser.text(status);
    assert!(
        split.starts_with("Step 4. loop1 is split by i <= n"),
        "{split}"
    );
    assert_eq!(browser.text("#refinement .action"), "split");
    keep_picture(&mut browser, "split");
    // In step with it: the loop in the source, and the loop head in the program graph.
    assert_eq!(
        browser
            .value("[...document.querySelectorAll('.lines li.here')].map((l) => l.dataset.line)"),
        serde_json::json!(["6"])
    );
    assert_eq!(
        browser.value(
            "[...document.querySelectorAll('#graph .node.path text')].map((t) => t.textContent)[0]"
        ),
        "loop1"
    );
    browser.press("ArrowRight", false);
    assert!(
        browser
            .text(status)
            .starts_with("Step 5. start -> loop1_2, loop1 -> error1")
    );
    assert_eq!(browser.value("location.hash"), "#step=5");
    // What goes is told in words, not by colour alone.
    let words = browser.value("[...document.querySelectorAll('#abstraction .badge-text')].map((t) => t.textContent).join()");
    assert_eq!(words, "goes,goes");
    keep_picture(&mut browser, "slice");
    browser.press("ArrowLeft", true);
    assert!(
        browser
            .text(status)
            .starts_with("Step 2. start -> loop1 -> error1")
    );
    // The interpolants stand at their states.
    browser.press("ArrowRight", false);
    let interpolants =
        browser.value("[...document.querySelectorAll('.remark > text')].map((t) => t.textContent)");
    assert_eq!(interpolants, serde_json::json!(["i <= n"]));
    keep_picture(&mut browser, "interpolants");
    for _ in 0..3 {
        browser.press("ArrowLeft", false);
    }
    assert!(browser.text(status).starts_with("Step 1."));
    // The slider, by its own keys.
    browser.value("document.querySelector('#refinement input[type=range]').focus()");
    browser.press("End", false);
    assert!(browser.text(status).contains("no error path is left"));
    browser.press("ArrowLeft", false);
    assert_eq!(browser.value("location.hash"), "#step=6");
    // The address can be changed while the page is open.
    browser.value("new Promise((done) => { addEventListener('hashchange', () => done(1)); location.hash = 'step=2'; })");
    assert!(browser.text(status).starts_with("Step 2."));
    browser.open(&page.path(), "step=999");
    assert!(browser.text(status).starts_with("Step 7."));
    assert_eq!(browser.complaints, [""; 0]);
    assert_eq!(browser.foreign(&["file:"]), [""; 0]);
}

#[test]
fn a_run_shows_its_values() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let page = Page::of(WRONG, &[]);
    let mut browser = Chromium::start(name);
    browser.open(&page.path(), "at=1");
    let values = "[...document.querySelectorAll('#run-values tbody tr')].map((r) => r.cells[0].textContent + '=' + r.cells[1].textContent)";
    let mut seen = Vec::new();
    let last = browser.value("Number(document.querySelector('#run input[type=range]').max)");
    for _ in 1..last.as_u64().unwrap() {
        browser.press("ArrowRight", false);
        seen.push(browser.value(values));
    }
    keep_picture(&mut browser, "run");
    assert!(
        seen.contains(&serde_json::json!(["i=2", "s=1"])),
        "{seen:?}"
    );
    assert_eq!(seen.last(), Some(&serde_json::json!(["i=3", "s=3"])));
    let text = browser.text("#run-text");
    assert!(
        text.contains("VIOLATED") && text.contains("line 9"),
        "{text}"
    );
    let lines = browser
        .value("[...document.querySelectorAll('.lines li.here')].map((l) => l.dataset.line)");
    assert_eq!(lines, serde_json::json!(["9"]));
    // The button leads to the first step, and the keyboard goes on from there.
    browser.value("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Show the run').focus()");
    browser.press("Enter", false);
    assert!(browser.text("#run-text").starts_with("Step 1."));
    browser.press("ArrowRight", false);
    assert!(browser.text("#run-text").starts_with("Step 2."));
    assert_eq!(browser.complaints, [""; 0]);
}

/// A map that is written cell by cell has one row, and its cells are never told beside what they were before.
#[test]
fn a_value_never_stands_beside_its_older_self() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let program =
        "procedure q() { var a: [int]int; a[0] := 1; a[1] := 5; a[0] := 2; assert a[0] == 1; }\n";
    let page = Page::of(program, &[]);
    let mut browser = Chromium::start(name);
    browser.open(&page.path(), "at=1");
    let values = "[...document.querySelectorAll('#run-values tbody tr')].map((r) => r.cells[0].textContent + '=' + r.cells[1].textContent)";
    let mut seen = vec![browser.value(values)];
    for _ in 0..3 {
        browser.press("ArrowRight", false);
        seen.push(browser.value(values));
    }
    let rows = [
        ["a=[else 0]"],
        ["a=[else 0][0 := 1]"],
        ["a=[else 0][0 := 1][1 := 5]"],
        ["a=[else 0][0 := 2][1 := 5]"],
    ];
    assert_eq!(serde_json::json!(seen), serde_json::json!(rows));
    let cause = browser.text(".cause");
    assert_eq!(cause.trim(), "- false: a[0] == 1, where a[0] = 2");
    assert_eq!(browser.complaints, [""; 0]);
}

/// The source has colours, over the lines of a comment as well, and as much room as somebody wants.
#[test]
fn the_source_has_colours_and_room() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let program = "procedure p() { /* assert\n  true; */ assert 1 < 2; // if\n}\n";
    let page = Page::of(program, &[]);
    let mut browser = Chromium::start(name);
    browser.size(1200, 800, 1.0);
    browser.open(&page.path(), "");
    let pieces = "[...document.querySelectorAll('.lines pre span')].map((s) => s.className + ':' + s.textContent)";
    assert_eq!(
        browser.value(pieces),
        serde_json::json!([
            "keyword:procedure",
            "comment:/* assert",
            "comment:  true; */",
            "keyword:assert",
            "digits:1",
            "digits:2",
            "comment:// if"
        ])
    );
    let lines =
        "[...document.querySelectorAll('.lines pre')].map((s) => s.textContent).join('\\n')";
    assert_eq!(browser.value(lines), serde_json::json!(program.trim_end()));
    let width = "document.getElementById('program').clientWidth";
    let before = browser.value(width).as_f64().unwrap();
    browser.value("document.getElementById('width').focus()");
    for _ in 0..20 {
        browser.press("ArrowRight", false);
    }
    assert!(browser.value(width).as_f64().unwrap() > before * 1.3);
    keep_picture(&mut browser, "colours");
    assert_eq!(browser.complaints, [""; 0]);
}

/// Pictures become larger and smaller, and move, by buttons, keys and the mouse, and stay so from step to step. The part that is
/// looked at stays where it is.
#[test]
fn pictures_can_be_zoomed_and_moved() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let page = Page::of(COUNT, &["--engine", "impact", "--auxiliary", "none"]);
    let mut browser = Chromium::start(name);
    browser.size(1200, 900, 1.0);
    browser.open(&page.path(), "step=9");
    let width = |browser: &mut Chromium| {
        let width =
            "document.querySelector('#abstraction .picture svg').getBoundingClientRect().width";
        browser.value(width).as_f64().unwrap()
    };
    let about = |a: f64, b: f64| (a / b - 1.0).abs() < 0.02;
    let first = width(&mut browser);
    browser.value("document.querySelector('#abstraction [data-part=larger]').focus()");
    for _ in 0..7 {
        browser.press("Enter", false);
    }
    assert!(about(width(&mut browser), first * 1.25_f64.powi(7)));
    keep_picture(&mut browser, "zoomed");
    // The next step's picture has the same size, and the button still has the focus.
    let large = browser.text("#abstraction .zoom .count");
    browser.value("document.querySelector('#refinement [aria-label=\"One step back\"]').click()");
    assert_eq!(browser.text("#abstraction .zoom .count"), large);
    browser.value("document.querySelector('#abstraction [data-part=larger]').focus()");
    browser.press("ArrowRight", false);
    assert_eq!(browser.value("location.hash"), "#step=9");
    assert_eq!(
        browser.value("document.activeElement.dataset.part"),
        "larger"
    );
    // By the keys, in the picture itself. The arrows move it, and do not go on to the next step.
    browser.value("document.querySelector('#abstraction .picture').focus()");
    let before = width(&mut browser);
    browser.press("+", false);
    assert!(about(width(&mut browser), before * 1.25));
    browser.press("-", false);
    assert!(about(width(&mut browser), before));
    let left = "document.querySelector('#abstraction .picture').scrollLeft";
    browser.value("(() => { document.querySelector('#abstraction .picture').scrollLeft = 0; })()");
    browser.press("ArrowRight", false);
    assert_eq!(browser.value("location.hash"), "#step=9");
    browser.value("new Promise((done) => setTimeout(() => done(1), 300))");
    assert!(browser.value(left).as_f64().unwrap() > 0.0);
    // By the mouse: what is under it follows it, and stays under it when the wheel turns.
    let centre = "(() => { const box = document.querySelector('#abstraction .picture'); box.scrollIntoView({ block: 'center' });
        const r = box.getBoundingClientRect(); return [r.left + 200, r.top + 100]; })()";
    let centre = browser.value(centre);
    let (x, y) = (centre[0].as_f64().unwrap(), centre[1].as_f64().unwrap());
    let place = "(() => { const r = document.querySelector('#abstraction .picture svg').getBoundingClientRect(); return [r.left, r.top, r.width]; })()";
    let place = |browser: &mut Chromium| {
        let values = browser.value(place);
        [0, 1, 2].map(|i| values[i].as_f64().unwrap())
    };
    let before = place(&mut browser);
    browser.mouse("mousePressed", x, y);
    browser.mouse("mouseMoved", x - 60.0, y - 20.0);
    browser.mouse("mouseReleased", x - 60.0, y - 20.0);
    let after = place(&mut browser);
    assert!(
        (before[0] - after[0] - 60.0).abs() < 1.5,
        "{before:?} {after:?}"
    );
    browser.wheel(x, y, -120.0);
    let zoomed = place(&mut browser);
    assert!(zoomed[2] > after[2] * 1.2, "{after:?} {zoomed:?}");
    let inside = |[left, _, width]: [f64; 3]| (x - left) / width;
    assert!((inside(after) - inside(zoomed)).abs() < 0.01);
    // All of it.
    browser.value("document.querySelector('#abstraction .picture').focus()");
    browser.press("0", false);
    let fits = "(() => { const box = document.querySelector('#abstraction .picture'); return box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight + 1; })()";
    assert_eq!(browser.value(fits), true);
    assert_eq!(browser.complaints, [""; 0]);
}

/// Nodes are named by line and construct, a legend says what the signs mean, what is cut is told in full on demand, and the versions
/// are those that the program itself tells.
#[test]
fn pictures_explain_themselves() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let long = COUNT.replace(
        "assert i == n;",
        "assert i == n && i + n + n + n + n + n + n + n + n + n == 10 * n;",
    );
    let page = Page::of(&long, &PATH);
    let mut browser = Chromium::start(name);
    browser.open(&page.path(), "step=1");
    let lines = "[...document.querySelectorAll('#graph .node text')].map((t) => t.textContent)";
    let lines = browser.value(lines);
    let has = |text: &str| lines.as_array().unwrap().iter().any(|line| line == text);
    assert!(has("loop at line 6"), "{lines}");
    // A text that ends in an ellipsis stands in full in the title of its node or edge.
    let cut = "[...document.querySelectorAll('svg .node text, svg .label text, svg .remark text')].filter((t) => t.textContent.includes('…')).length";
    assert!(browser.value(cut).as_u64().unwrap() > 0);
    let unexplained =
        "[...document.querySelectorAll('svg .node')].filter((n) => n.textContent.includes('…') &&
        !(n.querySelector('title')?.textContent.length > 20)).length";
    assert_eq!(browser.value(unexplained), 0);
    // Nothing is wider than the box that it stands in.
    let wider = "[...document.querySelectorAll('svg .node')].filter((n) => [...n.querySelectorAll(':scope > text')].some((t) =>
        t.getBBox().width > n.querySelector('rect').getBBox().width)).map((n) => n.textContent)";
    assert_eq!(browser.value(wider), serde_json::json!([]));
    let legend =
        "[...document.querySelectorAll('#abstraction .legend li')].map((l) => l.textContent)";
    let start = browser.value(legend);
    assert!(start.to_string().contains("loop head"), "{start}");
    assert!(start.to_string().contains("error location"), "{start}");
    browser.open(&page.path(), "step=5");
    let slice = browser.value(legend);
    assert!(slice.to_string().contains("goes"), "{slice}");
    assert!(!start.to_string().contains("goes"), "{start}");
    assert!(browser.text("#result").contains("loop at line 6: "));
    let version = std::process::Command::new(env!("CARGO_BIN_EXE_ult"))
        .arg("--version")
        .output()
        .unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let made = browser.text("#made-by");
    assert_eq!(made, format!("Made by {}.", version.trim()));
    assert!(made.contains("Z3 "), "{made}");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn a_screen_reader_gets_all_of_it() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let page = Page::of(COUNT, &PATH);
    let mut browser = Chromium::start(name);
    browser.open(&page.path(), "step=4");
    let spoken = browser.spoken();
    let has = |role: &str, start: &str| {
        let mut all = spoken.iter();
        let found = all.any(|(r, name)| r == role && name.starts_with(start));
        assert!(found, "no {role} {start:?} in {spoken:?}");
    };
    for landmark in ["banner", "main", "contentinfo"] {
        has(landmark, "");
    }
    for heading in [
        "a.bpl",
        "Result",
        "Source",
        "Program graph",
        "Refinement, step by step",
    ] {
        has("heading", heading);
    }
    has("status", "");
    has("slider", "Steps of the refinement");
    has("combobox", "Engine");
    for button in [
        "First step",
        "One step back",
        "One step on",
        "Last step",
        "Next error path",
    ] {
        has("button", button);
    }
    has("image", "Abstract states: 4 nodes, 8 edges");
    has("image", "obligation: SAFE");
    // Nothing that can be reached by the keyboard is without a name.
    for (role, name) in &spoken {
        let needs = [
            "button", "slider", "combobox", "checkbox", "link", "region", "image",
        ];
        assert!(
            !needs.contains(&role.as_str()) || !name.is_empty(),
            "{role} without a name"
        );
    }
    let live = "document.querySelector('#step-text').getAttribute('aria-live')";
    assert_eq!(browser.value(live), "polite");
    // The table says what the picture says.
    browser.value("document.querySelector('#abstraction details').open = true");
    let table = browser.text("#abstraction table");
    for part in [
        "loop1_2",
        "n < i",
        "new",
        "error location",
        "→ error1: n <= i && n != i",
    ] {
        assert!(table.contains(part), "{part} in {table}");
    }
    // The focus can be seen.
    browser.press("Tab", false);
    let outline = "getComputedStyle(document.activeElement).outlineStyle";
    assert_eq!(browser.value(outline), "solid");
}

#[test]
fn it_is_readable_in_light_and_dark_wide_and_narrow() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let page = Page::of(COUNT, &["--engine", "impact", "--auxiliary", "none"]);
    let mut browser = Chromium::start(name);
    // The contrast of text and ground, by the formula of the Web Content Accessibility Guidelines.
    let contrast = "(() => {
        const light = (colour) => {
            const [r, g, b] = colour.match(/[0-9.]+/g).map((v) => v / 255)
                .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = (element) => {
            const colour = getComputedStyle(element).backgroundColor;
            return colour === 'rgba(0, 0, 0, 0)' ? ground(element.parentElement) : colour;
        };
        const all = ['#step-text', '.badge', '.note', '.lines li.here pre', '.lines .number', 'th', 'summary', 'button', 'footer'];
        return all.map((selector) => {
            const element = document.querySelector(selector);
            const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
            return [selector, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
        });
    })()";
    let mut grounds = Vec::new();
    for scheme in ["light", "dark"] {
        browser.prefer(scheme);
        browser.open(&page.path(), "step=9");
        keep_picture(&mut browser, scheme);
        browser.size(500, 900, 1.0);
        browser.value("document.querySelector('#refinement').scrollIntoView()");
        keep_picture(&mut browser, &format!("{scheme}-500"));
        browser.size(1200, 900, 1.0);
        browser.value("scrollTo(0, 0)");
        keep_picture(&mut browser, &format!("{scheme}-1200"));
        for found in browser.value(contrast).as_array().unwrap() {
            assert!(found[1].as_f64().unwrap() >= 4.5, "{scheme}: {found}");
        }
        grounds.push(browser.value("getComputedStyle(document.body).backgroundColor"));
    }
    assert_ne!(grounds[0], grounds[1]);
    // As wide as a telephone, or as a window at 400 %: only what scrolls by itself is wider.
    browser.size(340, 800, 2.0);
    browser.open(&page.path(), "step=9");
    keep_picture(&mut browser, "narrow");
    let wide = browser.value("document.documentElement.scrollWidth");
    assert!(wide.as_u64().unwrap() <= 340, "{wide}");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn every_end_can_be_looked_at() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let mut browser = Chromium::start(name);
    let pages = [
        (
            Page::of("procedure p() { x := 1; }\n", &[]),
            "REJECTED",
            "Nothing was recorded",
        ),
        (
            Page::of("procedure p() { }\n", &[]),
            "NOTHING",
            "nothing has to be decided",
        ),
        (
            Page::of(COUNT, &["--engine", "kinduction"]),
            "SAFE",
            "refines no abstraction",
        ),
        (
            Page::of(COUNT, &["--engine", "bmc", "--timeout", "1"]),
            "UNKNOWN",
            "refines no abstraction",
        ),
    ];
    for (page, verdict, words) in &pages {
        browser.open(&page.path(), "");
        assert!(browser.text("#verdict").contains(verdict));
        let text = browser.text("#refinement");
        assert!(text.contains(words), "{text}");
    }
    assert_eq!(browser.complaints, [""; 0]);
}
