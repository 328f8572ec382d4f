; Depots: 2; trucks: 1; pallets: 2; crates: 1.
(define (problem depot-train-02)
  (:domain depot)
  (:objects
    depot-1 depot-2 - place
    truck-1 - truck
    hoist-1 hoist-2 - hoist
    pallet-1 pallet-2 - pallet
    crate-1 - crate)
  (:init
    (road depot-1 depot-2)
    (road depot-2 depot-1)
    (at hoist-1 depot-1) (available hoist-1)
    (at hoist-2 depot-2) (available hoist-2)
    (at truck-1 depot-2)
    (at pallet-1 depot-1) (at crate-1 depot-1) (on crate-1 pallet-1) (clear crate-1)
    (at pallet-2 depot-2) (clear pallet-2))
  (:goal
    (on crate-1 pallet-2)))
