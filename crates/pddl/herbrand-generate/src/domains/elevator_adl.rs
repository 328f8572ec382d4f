//! Elevator with constraints: a tour of the lift is drawn first, then constraints that it satisfies.

use super::elevator::{building, go};
use crate::vocabulary::{Dice, Draft};

struct Passenger {
    origin: usize,
    destination: usize,
    /// The first and the last stop of the passenger's ride, as indices into the tour.
    ride: (usize, usize),
}

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let floors = 2 + size * 2 / 3;
    let mut passengers: Vec<Passenger> = (0..size)
        .map(|_| {
            let origin = dice.below(floors);
            let destination = dice.other(floors, origin);
            Passenger {
                origin,
                destination,
                ride: (0, 0),
            }
        })
        .collect();
    let tour = tour(&mut passengers, dice);
    let express: Vec<usize> = (0..size)
        .filter(|&p| passengers[p].ride.0 + 1 == passengers[p].ride.1 && dice.chance(1, 2))
        .collect();
    let children = children(&passengers, dice);
    let barred = barred(&passengers, &tour, floors, dice);

    let mut draft = Draft::default();
    draft.note(format!(
        "Floors: {floors}; passengers: {size}; express riders: {}; children: {}; barred floors: {}.",
        express.len(),
        children.len(),
        barred.len()
    ));
    let start = dice.below(floors);
    building(&mut draft, floors, start);
    draft.objects("passenger", (1..=size).map(|p| format!("p{p}")));
    for (number, passenger) in (1..).zip(&passengers) {
        draft.facts([
            format!("origin p{number} floor-{}", passenger.origin),
            format!("destination p{number} floor-{}", passenger.destination),
        ]);
    }
    draft.facts(express.iter().map(|p| format!("express p{}", p + 1)));
    draft.facts(children.iter().map(|p| format!("child p{}", p + 1)));
    draft.facts(
        barred
            .iter()
            .map(|(p, floor)| format!("barred p{} floor-{floor}", p + 1)),
    );
    draft.goal("forall (?passenger - passenger)\n      (served ?passenger)");
    let mut at = start;
    for floor in tour {
        go(&mut draft, &mut at, floor);
        draft.step(format!("stop floor-{floor}"));
    }
    Some(draft)
}

/// Draws the stops of the lift. Each stop is the destination of a passenger aboard, or the origin of a waiting passenger if
/// the lift is empty. Sets the ride of each passenger.
fn tour(passengers: &mut [Passenger], dice: &mut Dice) -> Vec<usize> {
    let mut tour = Vec::new();
    let mut waiting: Vec<usize> = (0..passengers.len()).collect();
    let mut aboard: Vec<usize> = Vec::new();
    while !(waiting.is_empty() && aboard.is_empty()) {
        let floor = if aboard.is_empty() {
            passengers[*dice.pick(&waiting)].origin
        } else {
            passengers[*dice.pick(&aboard)].destination
        };
        let leaves = |&p: &usize| passengers[p].destination == floor;
        let leaving: Vec<usize> = aboard.iter().copied().filter(leaves).collect();
        aboard.retain(|p| !leaving.contains(p));
        let boarding: Vec<usize> = waiting
            .iter()
            .copied()
            .filter(|&p| passengers[p].origin == floor)
            .collect();
        waiting.retain(|p| !boarding.contains(p));
        leaving.iter().for_each(|&p| passengers[p].ride.1 = tour.len());
        boarding.iter().for_each(|&p| passengers[p].ride.0 = tour.len());
        aboard.extend(boarding);
        tour.push(floor);
    }
    tour
}

/// Draws the children. Whenever a child boards, an adult boards too or stays aboard.
fn children(passengers: &[Passenger], dice: &mut Dice) -> Vec<usize> {
    let mut grown_up = vec![false; passengers.len()];
    let mut children = Vec::new();
    for p in dice.permutation(passengers.len()) {
        let boards = passengers[p].ride.0;
        let accompanies = |&g: &usize| {
            let (from, to) = passengers[g].ride;
            g != p && !children.contains(&g) && from <= boards && boards < to
        };
        let guardian = (0..passengers.len()).find(accompanies);
        match guardian {
            Some(guardian) if !grown_up[p] && dice.chance(1, 3) => {
                grown_up[guardian] = true;
                children.push(p);
            }
            _ => {}
        }
    }
    children.sort_unstable();
    children
}

/// Draws floors at which the lift does not stop during a passenger's ride.
fn barred(passengers: &[Passenger], tour: &[usize], floors: usize, dice: &mut Dice) -> Vec<(usize, usize)> {
    let mut barred = Vec::new();
    for (p, passenger) in passengers.iter().enumerate() {
        let floor = dice.below(floors);
        let (from, to) = passenger.ride;
        if dice.chance(1, 3) && !tour[from..=to].contains(&floor) {
            barred.push((p, floor));
        }
    }
    barred
}
