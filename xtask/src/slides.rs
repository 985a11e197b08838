//! The lessons of the course as slides: for each a deck, one HTML file that asks for nothing else.
//!
//! A deck is made of the lesson's Markdown, and of what is marked in it:
//!
//! | in the lesson | in the deck |
//! |---|---|
//! | `# Heading`, `## Heading` | the heading of the slides that follow |
//! | `<!-- slide: TEXT -->` | a slide with this text, itself Markdown: what to say in few words |
//! | a fenced block with the word `slide` behind the fence | the listing, on the same slide if it fits beside the text |
//! | `![what it shows](FILE.svg)` | the picture, on the same slide |
//!
//! Everything else is for those who read. A section in which nothing is marked makes no slide.
//!
//! A slide is a stage of fixed size that the browser makes larger or smaller, so what fits here fits on every
//! screen and on paper. The size of letters in a listing is chosen so that all of it is seen; a listing for which they
//! would be too small to read is refused.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, html};

/// The stage, in CSS pixels.
const WIDTH: f64 = 1280.0;
const HEIGHT: f64 = 720.0;

/// The room for a listing that has a slide for itself, and for one beside the text.
const WHOLE: (f64, f64) = (1136.0, 540.0);
const HALF: (f64, f64) = (616.0, 540.0);

/// Letters of listings: the largest and the smallest size, the smallest beside text, how many there are in a line, how wide a letter
/// is, and how high a line.
const LARGEST: f64 = 22.0;
const SMALLEST: f64 = 13.0;
const BESIDE: f64 = 16.0;
const COLUMNS: usize = 100;
const LETTER: f64 = 0.61;
const LINE: f64 = 1.3;

/// Pictures are drawn for the book: so many times as large, at most, can they be seen from the last row.
const MAGNIFIED: f64 = 1.8;

/// The slides of one lesson.
pub(crate) struct Deck {
    /// The lesson's heading, as text.
    pub(crate) title: String,
    /// The slides, as HTML.
    pub(crate) slides: Vec<String>,
}

/// The lessons that a table of contents lists: those whose titles have a number. Each with the name of its file.
pub(crate) fn lessons(summary: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in summary.lines() {
        let entry = line.trim_start().strip_prefix("- [");
        let Some((title, target)) = entry.and_then(|entry| entry.split_once("](")) else {
            continue;
        };
        if title.starts_with(|c: char| c.is_ascii_digit()) {
            found.extend(target.trim_end().strip_suffix(')'));
        }
    }
    found
}

/// The deck of a lesson. Pictures and included files are read from the page's folder on.
pub(crate) fn deck(markdown: &str, folder: &Path) -> Result<Deck, String> {
    let mut making = Making::default();
    let mut parser = Parser::new(markdown);
    while let Some(event) = parser.next() {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                let inside = until(&mut parser, |end| matches!(end, TagEnd::Heading(_)));
                making.heading(&inside);
            }
            Event::Start(Tag::HtmlBlock) => {
                let lines = until(&mut parser, |end| *end == TagEnd::HtmlBlock);
                making.comment(&text_of(&lines));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let lines = until(&mut parser, |end| *end == TagEnd::CodeBlock);
                if info.split([',', ' ']).any(|word| word == "slide") {
                    let text = text_of(&lines);
                    making.listing(&included(text.trim_end(), folder)?)?;
                }
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                let lines = until(&mut parser, |end| *end == TagEnd::Image);
                let path = folder.join(&*dest_url);
                let picture = fs::read_to_string(&path)
                    .map_err(|error| format!("{}: {error}", path.display()))?;
                making.picture(&text_of(&lines), &picture);
            }
            _ => {}
        }
    }
    making.finish()
}

/// What comes before an end.
fn until<'a>(parser: &mut Parser<'a>, is_end: impl Fn(&TagEnd) -> bool) -> Vec<Event<'a>> {
    parser
        .take_while(|event| !matches!(event, Event::End(end) if is_end(end)))
        .collect()
}

fn text_of(events: &[Event]) -> String {
    let mut text = String::new();
    for event in events {
        match event {
            Event::Text(part) | Event::Code(part) | Event::Html(part) => text += part,
            Event::SoftBreak => text.push(' '),
            _ => {}
        }
    }
    text
}

/// HTML without links: where they lead to is in the book.
fn shown<'a>(events: impl Iterator<Item = Event<'a>>) -> String {
    let mut text = String::new();
    let is_link = |event: &Event| {
        matches!(
            event,
            Event::Start(Tag::Link { .. }) | Event::End(TagEnd::Link)
        )
    };
    html::push_html(&mut text, events.filter(|event| !is_link(event)));
    text.trim_end().to_owned()
}

/// A listing whose text is in a file: `{{#include FILE}}`, `{{#include FILE:FROM:TO}}` with numbers of lines.
pub(crate) fn included(text: &str, folder: &Path) -> Result<String, String> {
    let what = text
        .strip_prefix("{{#include ")
        .and_then(|rest| rest.strip_suffix("}}"));
    let Some(what) = what else {
        return Ok(text.to_owned());
    };
    let mut parts = what.split(':');
    let path = folder.join(parts.next().unwrap_or_default());
    let file = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut number = |otherwise: usize| match parts.next() {
        None | Some("") => Ok(otherwise),
        Some(number) => number
            .parse()
            .map_err(|_| format!("{what}: lines have numbers here")),
    };
    let (from, to) = (number(1)?, number(usize::MAX)?);
    let lines: Vec<&str> = file.lines().take(to).skip(from.saturating_sub(1)).collect();
    Ok(lines.join("\n"))
}

/// A deck in the making.
#[derive(Default)]
struct Making {
    title: String,
    /// The heading of the section, as HTML.
    heading: String,
    /// What is on the slide that is being made.
    text: String,
    figure: String,
    slides: Vec<String>,
}

impl Making {
    fn heading(&mut self, inside: &[Event]) {
        self.turn();
        if self.title.is_empty() {
            self.title = text_of(inside);
        }
        self.heading = shown(inside.iter().cloned());
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim().strip_prefix("<!-- slide:");
        if let Some(text) = text.and_then(|text| text.strip_suffix("-->")) {
            self.turn();
            self.text = shown(Parser::new_ext(text.trim(), Options::ENABLE_TABLES));
        }
    }

    fn listing(&mut self, text: &str) -> Result<(), String> {
        let widths = || text.lines().map(|line| line.chars().count().max(1));
        // Longer lines go on below, as the style says.
        let columns = widths().max().unwrap_or(1).min(COLUMNS);
        let lines: usize = widths().map(|width| width.div_ceil(columns)).sum();
        let (lines, columns) = (lines.max(1) as f64, columns as f64);
        let size = |(width, height): (f64, f64)| {
            LARGEST
                .min(width / (columns * LETTER))
                .min(height / (lines * LINE))
        };
        if !self.figure.is_empty() || (!self.text.is_empty() && size(HALF) < BESIDE) {
            self.turn();
        }
        let size = size(if self.text.is_empty() { WHOLE } else { HALF });
        if size < SMALLEST {
            return Err(format!(
                "{}: a listing of {lines} lines and {columns} columns is too large for a slide: {}",
                self.title,
                text.lines().next().unwrap_or_default()
            ));
        }
        self.figure = format!(
            "<pre style=\"font-size:{size:.1}px\">{}</pre>",
            escaped(text)
        );
        Ok(())
    }

    fn picture(&mut self, alternative: &str, svg: &str) {
        if !self.figure.is_empty() {
            self.turn();
        }
        let address = data_address(svg);
        let alternative = escaped(alternative);
        let (width, height) = if self.text.is_empty() { WHOLE } else { HALF };
        let wide = size_of(svg).map_or(String::new(), |(own, high)| {
            let times = MAGNIFIED.min(width / own).min(height / high);
            format!(" style=\"width:{:.0}px\"", own * times)
        });
        self.figure = format!("<img alt=\"{alternative}\"{wide} src=\"{address}\">");
    }

    /// The next slide.
    fn turn(&mut self) {
        let (text, figure) = (
            std::mem::take(&mut self.text),
            std::mem::take(&mut self.figure),
        );
        if text.is_empty() && figure.is_empty() {
            return;
        }
        let level = if self.slides.is_empty() { "h1" } else { "h2" };
        let mut slide = format!(
            "<{level}>{}</{level}>\n<div class=\"body\">\n",
            self.heading
        );
        for (class, part) in [("text", text), ("figure", figure)] {
            if !part.is_empty() {
                let _ = writeln!(slide, "<div class=\"{class}\">{part}</div>");
            }
        }
        self.slides.push(slide + "</div>\n");
    }

    fn finish(mut self) -> Result<Deck, String> {
        self.turn();
        match self.slides.is_empty() {
            true => Err(format!("{}: nothing is marked for slides", self.title)),
            false => Ok(Deck {
                title: self.title,
                slides: self.slides,
            }),
        }
    }
}

/// How wide and how high a picture says that it is.
fn size_of(svg: &str) -> Option<(f64, f64)> {
    let (_, head) = svg.split_once("<svg")?;
    let (head, _) = head.split_once('>')?;
    let number = |name: &str| -> Option<f64> {
        let (_, rest) = head.split_once(&format!(" {name}=\""))?;
        let (number, _) = rest.split_once('"')?;
        number.trim_end_matches("px").parse().ok()
    };
    Some((number("width")?, number("height")?)).filter(|(w, h)| *w > 0.0 && *h > 0.0)
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// An address that is the picture itself. As a picture of its own it keeps its style and names to itself.
fn data_address(svg: &str) -> String {
    let mut address = String::from("data:image/svg+xml,");
    for c in svg.chars() {
        match c {
            '%' | '#' | '"' | '<' | '>' | '&' | '\n' => {
                let _ = write!(address, "%{:02X}", u32::from(c));
            }
            other => address.push(other),
        }
    }
    address
}

/// A deck as a page.
pub(crate) fn page(deck: &Deck) -> String {
    let title = escaped(&deck.title);
    let mut slides = String::new();
    let all = deck.slides.len();
    for (number, slide) in (1..).zip(&deck.slides) {
        let _ = writeln!(
            slides,
            "<section id=\"{number}\" aria-label=\"slide {number} of {all}\">\n{slide}<footer>{title} · {number}/{all}</footer>\n</section>"
        );
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n{slides}<script>\n{}</script>\n</body>\n</html>\n",
        STYLE
            .replace("WIDTH", &WIDTH.to_string())
            .replace("HEIGHT", &HEIGHT.to_string()),
        SCRIPT
            .replace("WIDTH", &WIDTH.to_string())
            .replace("HEIGHT", &HEIGHT.to_string()),
    )
}

const STYLE: &str = include_str!("slides.css");
const SCRIPT: &str = include_str!("slides.js");
