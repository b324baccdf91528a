//! Distinct positions by ply, beside the leaves of the tree.

use crate::page::chart::{Axis, Chart, ColorRole, Curve, CurveChart, Markers, Point, Scale};
use crate::page::format::tick;
use crate::page::model::{Cell, Figure, PageTable, Section, Size};
use crate::unique::json::{PlyCounts, UniqueDocument};

pub(super) fn section(documents: &[UniqueDocument]) -> Option<Section> {
    let figures: Vec<Figure> = documents
        .iter()
        .filter(|document| !document.plies.is_empty())
        .map(|document| figure(document, Size::of(documents.len())))
        .collect();
    (!figures.is_empty()).then(|| Section {
        id: "distinct",
        title: "Distinct positions",
        text: vec![
            "How many different positions lie at each ply, beside the leaves of the tree: the distance between the curves is \
             what a transposition table can save. Diagrams are positions by their pieces alone. The axis is logarithmic."
                .into(),
        ],
        figures,
        ..Section::default()
    })
}

type PlyCount = fn(&PlyCounts) -> Option<u128>;
const CURVES: [(&str, PlyCount); 4] = [
    ("leaves", |ply| Some(ply.perft)),
    ("distinct", |ply| Some(ply.distinct)),
    ("diagrams", |ply| ply.diagrams),
    ("reached once", |ply| Some(ply.once)),
];

fn figure(document: &UniqueDocument, size: Size) -> Figure {
    let root = match document.fen.as_str() {
        fen if fen.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq") => "the starting position".into(),
        fen if fen.starts_with("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w") => "Kiwipete".into(),
        fen => fen.to_string(),
    };
    let title = format!("From {root}, e.p. {}", document.ep_policy);
    let mut table = PageTable::new(
        title.clone(),
        &["ply"],
        &["leaves", "distinct", "diagrams", "reached once", "most often reached", "seconds"],
    );
    for ply in &document.plies {
        table.rows.push(vec![
            Cell::Count(ply.ply.into()),
            Cell::Count(ply.perft),
            Cell::Count(ply.distinct),
            ply.diagrams.map_or(Cell::Missing, Cell::Count),
            Cell::Count(ply.once),
            Cell::Count(ply.highest),
            Cell::number(ply.seconds, 3),
        ]);
    }
    let curve = |(series, (label, count)): (usize, (&str, PlyCount))| {
        let points = document.plies.iter().filter_map(|ply| {
            // A logarithmic axis has no place for 0.
            let y = count(ply).filter(|count| *count > 0)? as f64;
            Some(Point { x: f64::from(ply.ply), y })
        });
        Curve { label: label.into(), role: ColorRole::Series(series), markers: Markers::Dots, points: points.collect() }
    };
    let lines: Vec<Curve> = CURVES.into_iter().enumerate().map(curve).filter(|line| !line.points.is_empty()).collect();
    let plies = document.plies.iter().map(|ply| f64::from(ply.ply));
    let ticks = plies.clone().map(|ply| (ply, tick(ply))).collect();
    let counts = lines.iter().flat_map(|line| line.points.iter().map(|point| point.y)).collect::<Vec<_>>();
    Figure {
        description: match document.plies.last() {
            Some(last) => {
                format!("Curves up to ply {}: {} distinct positions, {} leaves.", last.ply, last.distinct, last.perft)
            }
            None => String::new(),
        },
        title,
        size,
        chart: Chart::Curves(CurveChart {
            across: Axis::around("ply", Scale::Linear, plies).with_ticks(ticks),
            upwards: Axis::around("positions and leaves", Scale::Log, counts),
            lines,
        }),
        table,
    }
}
