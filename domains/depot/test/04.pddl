; Depots: 3; trucks: 2; pallets: 4; crates: 3.
(define (problem depot-test-04)
  (:domain depot)
  (:objects
    depot-1 depot-2 depot-3 - place
    truck-1 truck-2 - truck
    hoist-1 hoist-2 hoist-3 - hoist
    pallet-1 pallet-2 pallet-3 pallet-4 - pallet
    crate-1 crate-2 crate-3 - crate)
  (:init
    (road depot-1 depot-2) (road depot-1 depot-3)
    (road depot-2 depot-1) (road depot-2 depot-3)
    (road depot-3 depot-1) (road depot-3 depot-2)
    (at hoist-1 depot-1) (available hoist-1)
    (at hoist-2 depot-2) (available hoist-2)
    (at hoist-3 depot-3) (available hoist-3)
    (at truck-1 depot-3)
    (at truck-2 depot-3)
    (at pallet-1 depot-1) (at crate-1 depot-1) (on crate-1 pallet-1) (clear crate-1)
    (at pallet-2 depot-2) (clear pallet-2)
    (at pallet-3 depot-3) (at crate-3 depot-3) (on crate-3 pallet-3) (clear crate-3)
    (at pallet-4 depot-2) (at crate-2 depot-2) (on crate-2 pallet-4) (clear crate-2))
  (:goal
    (and
      (on crate-3 pallet-2)
      (on crate-2 crate-3)
      (on crate-1 pallet-4))))
