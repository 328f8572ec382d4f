//! Random programs: the fast evaluators agree with the naive one, and printed programs can be parsed.

mod evaluation;
mod queries;
mod sketch;
mod text;
mod views;
