//! Writes the JSON schemas of the formats to a folder: `cargo run -p perft-gate-report --features schema --example schemas
//! -- schema`. `ci/gate/schemas` compares them with those in `schema/`.

use perft_gate_machine::record::{self, Record};
use perft_gate_report::{collisions, compare, count, diff, divide, engine, gate, key, keys, unique};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).expect("a folder");
    let schemas = [
        schema::<Record>(record::SCHEMA),
        schema::<collisions::json::CollisionsDocument>(collisions::json::SCHEMA),
        schema::<compare::json::CompareDocument>(compare::json::SCHEMA),
        schema::<count::json::CountDocument>(count::json::SCHEMA),
        schema::<diff::json::DiffDocument<'_>>(diff::json::SCHEMA),
        schema::<divide::json::DivideDocument>(divide::json::SCHEMA),
        schema::<engine::json::EngineDocument<'_>>(engine::json::SCHEMA),
        schema::<engine::key_audit::EngineKeysDocument<'_>>(engine::key_audit::SCHEMA),
        schema::<gate::json::GateDocument<'_>>(gate::json::SCHEMA),
        schema::<key::json::KeyDocument>(key::json::SCHEMA),
        schema::<keys::json::KeysDocument<'_>>(keys::json::SCHEMA),
        schema::<unique::json::UniqueDocument>(unique::json::SCHEMA),
    ];
    for (name, schema) in schemas {
        let text = serde_json::to_string_pretty(&schema).expect("a schema") + "\n";
        std::fs::write(Path::new(&folder).join(name), text)?;
    }
    Ok(())
}

/// Returns the schema of a format, `perft.NAME/VERSION`, with the name of its file.
fn schema<T: JsonSchema>(format: &str) -> (String, Value) {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    let name = format!("{}-1.schema.json", format.trim_start_matches("perft.").trim_end_matches("/1"));
    let fields = schema.as_object_mut().expect("a schema of an object");
    fields["title"] = json!(format);
    let description = fields["description"].as_str().expect("a documented type").to_string();
    fields["description"] = json!(format!("{description} Fields may be added, meanings do not change."));
    fields["properties"]["schema"] = json!({ "const": format });
    tidy(&mut schema);
    (name, schema)
}

/// Takes out what only a reader of Rust understands: the sizes of numbers, and links in descriptions.
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
