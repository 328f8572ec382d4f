//! The storage of tuples: tables by packed key, and indexes.

pub(crate) mod access;
pub(crate) mod domain;
pub(crate) mod growing;
pub(crate) mod index;
pub(crate) mod key;
pub(crate) mod rows;
pub(crate) mod table;
pub(crate) mod tables;
