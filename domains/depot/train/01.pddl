; Depots: 1; trucks: 1; pallets: 2; crates: 1.
(define (problem depot-train-01)
  (:domain depot)
  (:objects
    depot-1 - place
    truck-1 - truck
    hoist-1 - hoist
    pallet-1 pallet-2 - pallet
    crate-1 - crate)
  (:init
    (at hoist-1 depot-1) (available hoist-1)
    (at truck-1 depot-1)
    (at pallet-1 depot-1) (at crate-1 depot-1) (on crate-1 pallet-1) (clear crate-1)
    (at pallet-2 depot-1) (clear pallet-2))
  (:goal
    (on crate-1 pallet-2)))
