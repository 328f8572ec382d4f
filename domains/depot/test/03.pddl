; Depots: 2; trucks: 1; pallets: 2; crates: 2.
(define (problem depot-test-03)
  (:domain depot)
  (:objects
    depot-1 depot-2 - place
    truck-1 - truck
    hoist-1 hoist-2 - hoist
    pallet-1 pallet-2 - pallet
    crate-1 crate-2 - crate)
  (:init
    (road depot-1 depot-2)
    (road depot-2 depot-1)
    (at hoist-1 depot-1) (available hoist-1)
    (at hoist-2 depot-2) (available hoist-2)
    (at truck-1 depot-2)
    (at pallet-1 depot-1) (at crate-2 depot-1) (on crate-2 pallet-1) (at crate-1 depot-1)
    (on crate-1 crate-2) (clear crate-1)
    (at pallet-2 depot-2) (clear pallet-2))
  (:goal
    (and
      (on crate-2 pallet-1)
      (on crate-1 pallet-2))))
