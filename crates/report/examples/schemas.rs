//! Writes the JSON schemas of the formats to a folder. `ci/gate/schemas` compares these with the files in `schema/`.
//! Usage: `cargo run -p perft-gate-report --features schema --example schemas -- schema`.

use perft_gate_bench::RecordSummary;
use perft_gate_chess::json::Envelope;
use perft_gate_listing::divide;
use perft_gate_machine::record::{self, Record};
use perft_gate_report::{bench, collisions, compare, count, diff, engine, engine_keys, gate, key, keys, tasks, unique};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).expect("a folder");
    let schemas = [
        schema::<Record, Record>(record::SCHEMA),
        result::<RecordSummary>(bench::SCHEMA),
        result::<collisions::CollisionsDocument>(collisions::SCHEMA),
        result::<compare::json::CompareDocument>(compare::json::SCHEMA),
        result::<count::CountDocument>(count::SCHEMA),
        result::<diff::DiffDocument<'_>>(diff::SCHEMA),
        result::<divide::DivideDocument>(divide::SCHEMA),
        result::<engine::run::EngineDocument<'_>>(engine::run::SCHEMA),
        result::<engine_keys::EngineKeysDocument<'_>>(engine_keys::SCHEMA),
        result::<gate::GateDocument<'_>>(gate::SCHEMA),
        result::<key::KeyDocument>(key::SCHEMA),
        result::<keys::KeysDocument<'_>>(keys::SCHEMA),
        result::<tasks::TasksStatus>(tasks::SCHEMA),
        result::<unique::UniqueDocument>(unique::SCHEMA),
    ];
    for (name, schema) in schemas {
        let text = serde_json::to_string_pretty(&schema).expect("a schema") + "\n";
        std::fs::write(Path::new(&folder).join(name), text)?;
    }
    Ok(())
}

/// Returns the file name and the schema of a format whose documents wrap a result in an `Envelope`.
fn result<T: JsonSchema>(format: &str) -> (String, Value) {
    schema::<Envelope<T>, T>(format)
}

/// Returns the file name and the schema of a format `perft.NAME/VERSION`. The description of the format is taken from
/// the docs of `T`.
fn schema<D: JsonSchema, T: JsonSchema>(format: &str) -> (String, Value) {
    let mut schema = root::<D>();
    let name = format!("{}-1.schema.json", format.trim_start_matches("perft.").trim_end_matches("/1"));
    let fields = schema.as_object_mut().expect("a schema of an object");
    fields["title"] = json!(format);
    let description = root::<T>()["description"].as_str().expect("a documented type").to_string();
    fields["description"] = json!(format!("{description} Fields may be added, meanings do not change."));
    fields["properties"]["schema"] = json!({ "const": format });
    tidy(&mut schema);
    (name, schema)
}

fn root<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().to_value()
}

/// Removes what only Rust programmers understand: Rust's number formats, and the brackets of rustdoc links in
/// descriptions.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, value| name != "format" || !value.is_string());
            if let Some(Value::String(text)) = fields.get_mut("description") {
                *text = text.replace(['[', ']'], "");
            }
            fields.values_mut().for_each(tidy);
        }
        Value::Array(values) => values.iter_mut().for_each(tidy),
        _ => {}
    }
}
