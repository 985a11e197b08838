//! A page of the book as one sheet of paper: A4, two columns, small letters.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

/// The sheet of a page, as HTML that asks for nothing else. Links become their texts.
pub(crate) fn page(markdown: &str) -> String {
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter(|event| {
        !matches!(
            event,
            Event::Start(Tag::Link { .. }) | Event::End(TagEnd::Link)
        )
    });
    let mut body = String::new();
    html::push_html(&mut body, events);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>ult</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

const STYLE: &str = include_str!("sheet.css");
