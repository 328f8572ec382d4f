//! Environments, batches, observers, rollouts and traces of planning problems.
#![cfg(feature = "domains")]

mod action_arrays;
mod allocation;
mod batch;
mod edges;
mod episodes;
mod ids;
mod information;
mod invalid;
mod lanes;
mod lifted;
mod numbers;
mod observations;
mod observers;
mod one_network;
#[cfg(feature = "png")]
mod pixels;
mod reference;
mod rollouts;
mod seen;
mod traces;
mod trajectories;
mod vector;
