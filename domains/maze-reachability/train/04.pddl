; 3 by 3 rooms; gates: 3; levers: 3.
(define (problem maze-reachability-train-04)
  (:domain maze-reachability)
  (:objects
    r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 r3c1 r3c2 r3c3 - room
    gate-1 gate-2 gate-3 - gate
    lever-1 lever-2 lever-3 - lever)
  (:init
    (explorer-in r1c1)
    (lever-in lever-1 r3c3) (wired lever-1 gate-1)
    (lever-in lever-2 r3c2) (wired lever-2 gate-2) (wired lever-2 gate-3)
    (lever-in lever-3 r2c2) (wired lever-3 gate-2)
    (gateway gate-1 r1c1 r2c1)
    (gateway gate-2 r1c3 r2c3)
    (gateway gate-3 r3c2 r3c3)
    (open gate-1)
    (passage r1c1 r1c2) (passage r1c2 r1c3)
    (passage r2c1 r2c2) (passage r2c1 r3c1) (passage r2c2 r3c2))
  (:goal
    (explorer-in r3c3)))
