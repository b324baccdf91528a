//! Against other programs' generators, and over the fuzz targets' corpus.

mod classes;
mod corpus;
mod differential;
mod fens;
mod generator;
mod subjects;
mod suites;
mod unique;
