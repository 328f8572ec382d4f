//! State spaces as arrays: for NumPy (`.npz`), and as JSON.

use bytemuck::cast_slice;
use herbrand::core::SpaceAnalysis;
use serde::Serialize;

use super::explored::Explored;
use crate::failure::{Failure, refuse};

/// The first member of an archive and the first key of JSON, which tell that this program wrote the file.
const FORM: &str = "herbrand-space-1";

/// The arrays of a space as JSON.
#[derive(Serialize)]
struct File<'a> {
    form: &'static str,
    domain: &'a str,
    problem: &'a str,
    complete: bool,
    limit: Option<String>,
    rounding: Option<&'a str>,
    bit_names: &'a [String],
    number_names: &'a [String],
    action_names: &'a [String],
    /// For each state, the positions of the bits that are set.
    states: Vec<Vec<usize>>,
    /// For each state, its numbers.
    numbers: Vec<&'a [f64]>,
    goals: &'a [bool],
    /// The start states, and their probabilities.
    starts: Vec<u32>,
    start_probabilities: Vec<f64>,
    expanded: u32,
    first_choices: &'a [u32],
    actions: &'a [u32],
    first_outcomes: Vec<u32>,
    targets: &'a [u32],
    probabilities: Vec<f64>,
    costs: Vec<f64>,
    /// −1 where there is no way.
    start_steps: Vec<i32>,
    goal_steps: Vec<i32>,
    /// `null` where there is no way.
    goal_costs: &'a [f64],
    dead_ends: &'a [bool],
    components: &'a [u32],
}

/// Returns the numbers of a list that is empty if all are 1.
fn filled(list: &[f64], len: usize) -> Vec<f64> {
    if list.is_empty() {
        vec![1.0; len]
    } else {
        list.to_vec()
    }
}

/// Returns the first outcome of each choice, and at the end their number.
fn first_outcomes(explored: &Explored) -> Vec<u32> {
    let graph = &explored.graph;
    if graph.first_outcomes.is_empty() {
        (0..=graph.actions.len() as u32).collect()
    } else {
        graph.first_outcomes.clone()
    }
}

/// Returns steps with −1 where there is no way.
fn signed(steps: &[u32]) -> Vec<i32> {
    cast_slice(steps).to_vec()
}

/// Writes a space as JSON.
pub fn json(explored: &Explored, analysis: &SpaceAnalysis) -> Result<Vec<u8>, Failure> {
    let (graph, rows) = (&explored.graph, &explored.rows);
    let set = |state: usize| {
        let row = &rows.bits[state * rows.words..(state + 1) * rows.words];
        (0..explored.bits.len())
            .filter(|bit| row[bit / 64] >> (bit % 64) & 1 == 1)
            .collect()
    };
    let file = File {
        form: FORM,
        domain: &explored.domain,
        problem: &explored.problem,
        complete: graph.is_complete(),
        limit: graph.limit.map(|limit| limit.to_string()),
        rounding: explored.rounding.as_deref(),
        bit_names: &explored.bits,
        number_names: &explored.numbers,
        action_names: &explored.actions,
        states: (0..graph.len()).map(set).collect(),
        numbers: (0..graph.len())
            .map(|state| &rows.numbers[state * rows.columns..][..rows.columns])
            .collect(),
        goals: &graph.goals,
        starts: graph.starts.iter().map(|start| start.1).collect(),
        start_probabilities: graph.starts.iter().map(|start| start.0).collect(),
        expanded: graph.expanded,
        first_choices: &graph.first_choices,
        actions: &graph.actions,
        first_outcomes: first_outcomes(explored),
        targets: &graph.targets,
        probabilities: filled(&graph.probabilities, graph.targets.len()),
        costs: filled(&graph.costs, graph.targets.len()),
        start_steps: signed(&analysis.start_steps),
        goal_steps: signed(&analysis.goal_steps),
        goal_costs: &analysis.goal_costs,
        dead_ends: &analysis.dead_ends,
        components: &analysis.components,
    };
    let mut bytes = serde_json::to_vec(&file).map_err(std::io::Error::from)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Writes a space as an archive of NumPy arrays, which `numpy.load` reads.
pub fn npz(explored: &Explored, analysis: &SpaceAnalysis) -> Result<Vec<u8>, Failure> {
    let (graph, rows) = (&explored.graph, &explored.rows);
    let (len, outcomes) = (graph.len(), graph.targets.len());
    let starts: Vec<u32> = graph.starts.iter().map(|start| start.1).collect();
    let start_probabilities: Vec<f64> = graph.starts.iter().map(|start| start.0).collect();
    let flags = |list: &[bool]| -> Vec<u8> { list.iter().map(|&flag| u8::from(flag)).collect() };
    let mut archive = Archive::default();
    archive.text(FORM, &[FORM.to_owned()])?;
    archive.text("domain", std::slice::from_ref(&explored.domain))?;
    archive.text("problem", std::slice::from_ref(&explored.problem))?;
    archive.text("bit_names", &explored.bits)?;
    archive.text("number_names", &explored.numbers)?;
    archive.text("action_names", &explored.actions)?;
    archive.array("states", "<u8", &[len, rows.words], &words(&rows.bits))?;
    archive.array("numbers", "<f8", &[len, rows.columns], &doubles(&rows.numbers))?;
    archive.array("goals", "|b1", &[len], &flags(&graph.goals))?;
    archive.array("starts", "<i4", &[starts.len()], &integers(&starts))?;
    archive.array(
        "start_probabilities",
        "<f8",
        &[starts.len()],
        &doubles(&start_probabilities),
    )?;
    archive.array("expanded", "<i4", &[], &integers(&[graph.expanded]))?;
    archive.array("complete", "|b1", &[], &[u8::from(graph.is_complete())])?;
    archive.array(
        "first_choices",
        "<i4",
        &[len + 1],
        &integers(&graph.first_choices),
    )?;
    archive.array(
        "actions",
        "<i4",
        &[graph.actions.len()],
        &integers(&graph.actions),
    )?;
    archive.array(
        "first_outcomes",
        "<i4",
        &[graph.actions.len() + 1],
        &integers(&first_outcomes(explored)),
    )?;
    archive.array("targets", "<i4", &[outcomes], &integers(&graph.targets))?;
    archive.array(
        "probabilities",
        "<f8",
        &[outcomes],
        &doubles(&filled(&graph.probabilities, outcomes)),
    )?;
    archive.array(
        "costs",
        "<f8",
        &[outcomes],
        &doubles(&filled(&graph.costs, outcomes)),
    )?;
    archive.array("start_steps", "<i4", &[len], &integers(&analysis.start_steps))?;
    archive.array("goal_steps", "<i4", &[len], &integers(&analysis.goal_steps))?;
    archive.array(
        "goal_costs",
        "<f8",
        &[analysis.goal_costs.len()],
        &doubles(&analysis.goal_costs),
    )?;
    archive.array("dead_ends", "|b1", &[len], &flags(&analysis.dead_ends))?;
    archive.array("components", "<i4", &[len], &integers(&analysis.components))?;
    Ok(archive.finish())
}

fn integers(list: &[u32]) -> Vec<u8> {
    list.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn words(list: &[u64]) -> Vec<u8> {
    list.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn doubles(list: &[f64]) -> Vec<u8> {
    list.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A ZIP archive of uncompressed NumPy files (APPNOTE.TXT of PKWARE, and NumPy's format 1.0).
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    /// The central directory.
    directory: Vec<u8>,
    members: u16,
}

/// Sizes and offsets have 32 bits.
const MOST: usize = u32::MAX as usize;

impl Archive {
    /// Adds an array of Unicode texts.
    fn text(&mut self, name: &str, texts: &[String]) -> Result<(), Failure> {
        let width = texts
            .iter()
            .map(|text| text.chars().count())
            .max()
            .unwrap_or(0)
            .max(1);
        let mut data = Vec::with_capacity(texts.len() * width * 4);
        for text in texts {
            let codes = text.chars().map(u32::from).chain(std::iter::repeat(0));
            data.extend(codes.take(width).flat_map(u32::to_le_bytes));
        }
        self.array(name, &format!("<U{width}"), &[texts.len()], &data)
    }

    /// Adds an array of little-endian data.
    fn array(&mut self, name: &str, kind: &str, shape: &[usize], data: &[u8]) -> Result<(), Failure> {
        let shape: String = shape.iter().map(|length| format!("{length}, ")).collect();
        let mut header = format!(
            "{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}",
            shape.trim_end()
        );
        // The data begins at a multiple of 64 bytes; the header before has 10 bytes, and ends with a newline.
        let padding = (64 - (10 + header.len() + 1) % 64) % 64;
        header += &" ".repeat(padding);
        header.push('\n');
        let mut file = b"\x93NUMPY\x01\0".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.as_bytes());
        file.extend(data);
        self.member(&format!("{name}.npy"), &file)
    }

    fn member(&mut self, name: &str, file: &[u8]) -> Result<(), Failure> {
        let offset = self.bytes.len();
        if offset + file.len() + name.len() > MOST - (1 << 20) {
            return refuse(
                "the space has more than 4 GiB, too much for an .npz file: explore a part of it with --states",
            );
        }
        let mut about = Vec::new();
        // Version 2.0, no flags, no compression, midnight of 1 January 1980.
        about.extend(
            [20_u16, 0, 0, 0, 0x21]
                .iter()
                .flat_map(|field| field.to_le_bytes()),
        );
        let length = file.len() as u32;
        about.extend(
            [crc32fast::hash(file), length, length]
                .iter()
                .flat_map(|field| field.to_le_bytes()),
        );
        about.extend((name.len() as u16).to_le_bytes());
        about.extend(0_u16.to_le_bytes());
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&about);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(file);
        self.directory.extend(b"PK\x01\x02\x14\0");
        self.directory.extend(&about);
        // No comment, the first disk, binary contents, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend((offset as u32).to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.members += 1;
        Ok(())
    }

    fn finish(mut self) -> Vec<u8> {
        let offset = self.bytes.len() as u32;
        self.bytes.extend(&self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend(
            [self.members, self.members]
                .iter()
                .flat_map(|field| field.to_le_bytes()),
        );
        let fields = [self.directory.len() as u32, offset];
        self.bytes
            .extend(fields.iter().flat_map(|field| field.to_le_bytes()));
        self.bytes.extend(0_u16.to_le_bytes());
        self.bytes
    }
}
