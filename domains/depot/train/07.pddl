; Depots: 4; trucks: 2; pallets: 5; crates: 6.
(define (problem depot-train-07)
  (:domain depot)
  (:objects
    depot-1 depot-2 depot-3 depot-4 - place
    truck-1 truck-2 - truck
    hoist-1 hoist-2 hoist-3 hoist-4 - hoist
    pallet-1 pallet-2 pallet-3 pallet-4 pallet-5 - pallet
    crate-1 crate-2 crate-3 crate-4 crate-5 crate-6 - crate)
  (:init
    (road depot-1 depot-2) (road depot-1 depot-3) (road depot-1 depot-4)
    (road depot-2 depot-1) (road depot-2 depot-3) (road depot-2 depot-4)
    (road depot-3 depot-1) (road depot-3 depot-2) (road depot-3 depot-4)
    (road depot-4 depot-1) (road depot-4 depot-2) (road depot-4 depot-3)
    (at hoist-1 depot-1) (available hoist-1)
    (at hoist-2 depot-2) (available hoist-2)
    (at hoist-3 depot-3) (available hoist-3)
    (at hoist-4 depot-4) (available hoist-4)
    (at truck-1 depot-4)
    (at truck-2 depot-1)
    (at pallet-1 depot-1) (clear pallet-1)
    (at pallet-2 depot-2) (clear pallet-2)
    (at pallet-3 depot-3) (at crate-5 depot-3) (on crate-5 pallet-3) (clear crate-5)
    (at pallet-4 depot-4) (at crate-6 depot-4) (on crate-6 pallet-4) (clear crate-6)
    (at pallet-5 depot-3) (at crate-3 depot-3) (on crate-3 pallet-5) (at crate-1 depot-3)
    (on crate-1 crate-3) (at crate-4 depot-3) (on crate-4 crate-1) (at crate-2 depot-3)
    (on crate-2 crate-4) (clear crate-2))
  (:goal
    (and
      (on crate-1 pallet-1)
      (on crate-6 crate-1)
      (on crate-4 crate-6)
      (on crate-3 pallet-2)
      (on crate-5 pallet-3)
      (on crate-2 pallet-5))))
