//! Test files: temporary folders, and documents, which are checked against their schemas.

use super::root;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A temporary folder, removed with its files at the end of the test. Its path has no spaces.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the path of a file in the folder. The file need not exist.
    pub fn join(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Returns the path as text, for an argument of the binary.
    pub fn file(&self, name: &str) -> String {
        self.join(name).to_str().expect("a path in UTF-8").into()
    }

    /// Writes a file and returns its path as text.
    #[track_caller]
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.join(name), content).unwrap_or_else(|error| panic!("{name}: {error}"));
        self.file(name)
    }

    /// Writes a shell script and returns its path.
    #[cfg(unix)]
    #[track_caller]
    pub fn script(&self, name: &str, text: &str) -> String {
        use std::os::unix::fs::PermissionsExt;
        let path = self.write(name, format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a file of ours");
        path
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Returns the number of files and folders directly inside this folder.
    pub fn len(&self) -> usize {
        fs::read_dir(self.path()).expect("a folder").count()
    }
}

#[track_caller]
pub fn read_json(path: impl AsRef<Path>) -> Value {
    let path = path.as_ref();
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads a document of the program, which must follow its schema.
#[track_caller]
pub fn document(path: impl AsRef<Path>) -> Value {
    checked(read_json(path))
}

/// Returns the document unchanged if it follows its schema, and panics with all errors if it does not.
#[track_caller]
pub fn checked(document: Value) -> Value {
    let errors: Vec<String> = schema(&document).iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{document:#}");
    document
}

/// Returns true if a document follows its schema.
pub fn is_valid(document: &Value) -> bool {
    schema(document).is_valid(document)
}

/// Returns the schema that a document names: for `perft.gate/1` it is `schema/gate-1.schema.json`.
#[track_caller]
fn schema(document: &Value) -> jsonschema::Validator {
    let name = document["schema"].as_str().and_then(|name| name.strip_prefix("perft.")).expect("a schema");
    let schema = read_json(root(&format!("schema/{}.schema.json", name.replace('/', "-"))));
    jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{name}: {error}"))
}
