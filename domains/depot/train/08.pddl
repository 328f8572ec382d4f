; Depots: 4; trucks: 2; pallets: 6; crates: 8.
(define (problem depot-train-08)
  (:domain depot)
  (:objects
    depot-1 depot-2 depot-3 depot-4 - place
    truck-1 truck-2 - truck
    hoist-1 hoist-2 hoist-3 hoist-4 - hoist
    pallet-1 pallet-2 pallet-3 pallet-4 pallet-5 pallet-6 - pallet
    crate-1 crate-2 crate-3 crate-4 crate-5 crate-6 crate-7 crate-8 - crate)
  (:init
    (road depot-1 depot-2) (road depot-1 depot-3) (road depot-1 depot-4)
    (road depot-2 depot-1) (road depot-2 depot-3) (road depot-2 depot-4)
    (road depot-3 depot-1) (road depot-3 depot-2) (road depot-3 depot-4)
    (road depot-4 depot-1) (road depot-4 depot-2) (road depot-4 depot-3)
    (at hoist-1 depot-1) (available hoist-1)
    (at hoist-2 depot-2) (available hoist-2)
    (at hoist-3 depot-3) (available hoist-3)
    (at hoist-4 depot-4) (available hoist-4)
    (at truck-1 depot-1)
    (at truck-2 depot-3)
    (at pallet-1 depot-1) (at crate-4 depot-1) (on crate-4 pallet-1) (at crate-7 depot-1)
    (on crate-7 crate-4) (clear crate-7)
    (at pallet-2 depot-2) (at crate-2 depot-2) (on crate-2 pallet-2) (at crate-6 depot-2)
    (on crate-6 crate-2) (at crate-8 depot-2) (on crate-8 crate-6) (clear crate-8)
    (at pallet-3 depot-3) (at crate-3 depot-3) (on crate-3 pallet-3) (at crate-1 depot-3)
    (on crate-1 crate-3) (clear crate-1)
    (at pallet-4 depot-4) (at crate-5 depot-4) (on crate-5 pallet-4) (clear crate-5)
    (at pallet-5 depot-3) (clear pallet-5)
    (at pallet-6 depot-3) (clear pallet-6))
  (:goal
    (and
      (on crate-2 pallet-1)
      (on crate-5 crate-2)
      (on crate-6 pallet-2)
      (on crate-7 crate-6)
      (on crate-8 pallet-3)
      (on crate-3 crate-8)
      (on crate-4 pallet-4)
      (on crate-1 pallet-6))))
