//! Whether reports are as their schemas say.

use std::fs;
use std::sync::OnceLock;

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

/// Whether a report is as the schema says.
pub(crate) fn against_schema(report: &Value) -> Result<(), String> {
    static SCHEMA: OnceLock<(Schemas, SchemaIndex)> = OnceLock::new();
    let (schemas, index) = SCHEMA.get_or_init(|| schema("src/report/schema.json"));
    let result = schemas.validate(report, *index);
    result.map_err(|why| why.to_string())
}

/// A schema of the project.
pub(crate) fn schema(path: &str) -> (Schemas, SchemaIndex) {
    let text = fs::read(crate::root().join(path)).unwrap();
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    let schema = serde_json::from_slice(&text).unwrap();
    compiler.add_resource("schema.json", schema).unwrap();
    let index = compiler.compile("schema.json", &mut schemas).unwrap();
    (schemas, index)
}
