//! Arguments that several commands share.

pub mod decode;
pub mod depth;
pub mod fen_words;
pub mod output;
pub mod position;
pub mod record;
pub mod run;
pub mod san;
pub mod scheme;
pub mod size;
pub mod suite;
pub mod text;
