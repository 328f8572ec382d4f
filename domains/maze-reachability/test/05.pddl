; 3 by 4 rooms; gates: 4; levers: 4.
(define (problem maze-reachability-test-05)
  (:domain maze-reachability)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r2c1 r2c2 r2c3 r2c4 r3c1 r3c2 r3c3 r3c4 - room
    gate-1 gate-2 gate-3 gate-4 - gate
    lever-1 lever-2 lever-3 lever-4 - lever)
  (:init
    (explorer-in r1c1)
    (lever-in lever-1 r2c1) (wired lever-1 gate-3)
    (lever-in lever-2 r1c2) (wired lever-2 gate-4)
    (lever-in lever-3 r2c1) (wired lever-3 gate-1) (wired lever-3 gate-4)
    (lever-in lever-4 r1c1) (wired lever-4 gate-1) (wired lever-4 gate-2)
    (gateway gate-1 r2c1 r2c2)
    (gateway gate-2 r2c3 r2c4)
    (gateway gate-3 r2c3 r3c3)
    (gateway gate-4 r3c2 r3c3)
    (open gate-3)
    (passage r1c1 r2c1) (passage r1c2 r1c3) (passage r1c3 r2c3) (passage r1c4 r2c4)
    (passage r2c1 r3c1) (passage r2c2 r3c2) (passage r2c4 r3c4)
    (passage r3c3 r3c4))
  (:goal
    (explorer-in r3c4)))
