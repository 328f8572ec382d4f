//! The storage of tuples: tables by packed key, indexes, and the facts of models and databases.

pub(crate) mod access;
pub(crate) mod database;
pub(crate) mod domain;
pub(crate) mod growing;
pub(crate) mod index;
pub(crate) mod key;
pub(crate) mod model;
pub(crate) mod rows;
pub(crate) mod table;
pub(crate) mod tables;
