; Depots: 5; trucks: 2; pallets: 6; crates: 10.
(define (problem depot-train-09)
  (:domain depot)
  (:objects
    depot-1 depot-2 depot-3 depot-4 depot-5 - place
    truck-1 truck-2 - truck
    hoist-1 hoist-2 hoist-3 hoist-4 hoist-5 - hoist
    pallet-1 pallet-2 pallet-3 pallet-4 pallet-5 pallet-6 - pallet
    crate-1 crate-2 crate-3 crate-4 crate-5 crate-6 crate-7 crate-8 crate-9 crate-10 - crate)
  (:init
    (road depot-1 depot-2) (road depot-1 depot-3) (road depot-1 depot-4) (road depot-1 depot-5)
    (road depot-2 depot-1) (road depot-2 depot-3) (road depot-2 depot-4) (road depot-2 depot-5)
    (road depot-3 depot-1) (road depot-3 depot-2) (road depot-3 depot-4) (road depot-3 depot-5)
    (road depot-4 depot-1) (road depot-4 depot-2) (road depot-4 depot-3) (road depot-4 depot-5)
    (road depot-5 depot-1) (road depot-5 depot-2) (road depot-5 depot-3) (road depot-5 depot-4)
    (at hoist-1 depot-1) (available hoist-1)
    (at hoist-2 depot-2) (available hoist-2)
    (at hoist-3 depot-3) (available hoist-3)
    (at hoist-4 depot-4) (available hoist-4)
    (at hoist-5 depot-5) (available hoist-5)
    (at truck-1 depot-2)
    (at truck-2 depot-2)
    (at pallet-1 depot-1) (at crate-9 depot-1) (on crate-9 pallet-1) (at crate-2 depot-1)
    (on crate-2 crate-9) (at crate-3 depot-1) (on crate-3 crate-2) (clear crate-3)
    (at pallet-2 depot-2) (at crate-1 depot-2) (on crate-1 pallet-2) (clear crate-1)
    (at pallet-3 depot-3) (clear pallet-3)
    (at pallet-4 depot-4) (at crate-10 depot-4) (on crate-10 pallet-4) (at crate-5 depot-4)
    (on crate-5 crate-10) (at crate-6 depot-4) (on crate-6 crate-5) (clear crate-6)
    (at pallet-5 depot-5) (at crate-8 depot-5) (on crate-8 pallet-5) (clear crate-8)
    (at pallet-6 depot-3) (at crate-4 depot-3) (on crate-4 pallet-6) (at crate-7 depot-3)
    (on crate-7 crate-4) (clear crate-7))
  (:goal
    (and
      (on crate-1 pallet-1)
      (on crate-9 crate-1)
      (on crate-10 pallet-2)
      (on crate-4 crate-10)
      (on crate-7 pallet-3)
      (on crate-2 pallet-4)
      (on crate-5 crate-2)
      (on crate-3 crate-5)
      (on crate-8 pallet-5)
      (on crate-6 crate-8))))
