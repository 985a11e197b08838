//! The programs of `examples/*.rs`, which the book shows together with what they print.

#[allow(dead_code)]
#[path = "../../examples/cancel.rs"]
mod cancel;
#[allow(dead_code)]
#[path = "../../examples/lock_protocol.rs"]
mod lock_protocol;
#[allow(dead_code)]
#[path = "../../examples/mini_language.rs"]
mod mini_language;
#[allow(dead_code)]
#[path = "../../examples/parallel_batch.rs"]
mod parallel_batch;
#[allow(dead_code)]
#[path = "../../examples/traffic_light.rs"]
mod traffic_light;

/// What `cargo run --example NAME` prints.
pub fn printed(name: &str) -> Option<String> {
    let story = match name {
        "cancel" => cancel::story(),
        "lock_protocol" => lock_protocol::story(),
        "mini_language" => mini_language::story(),
        "parallel_batch" => parallel_batch::story(),
        "traffic_light" => traffic_light::story(),
        _ => return None,
    };
    Some(story.unwrap_or_else(|error| format!("error: {error}\n")))
}

/// The names of all examples.
pub fn names() -> Vec<String> {
    let entries = std::fs::read_dir(crate::listings::root().join("examples")).expect("examples");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string());
    names
        .filter_map(|name| {
            Some(
                name.expect("a name in Unicode")
                    .strip_suffix(".rs")?
                    .to_owned(),
            )
        })
        .collect()
}
