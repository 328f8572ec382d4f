; 5 by 6 rooms; gates: 12; levers: 8.
(define (problem maze-reachability-train-10)
  (:domain maze-reachability)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r1c5 r1c6 r2c1 r2c2 r2c3 r2c4 r2c5 r2c6 r3c1 r3c2 r3c3 r3c4 r3c5 r3c6
    r4c1 r4c2 r4c3 r4c4 r4c5 r4c6 r5c1 r5c2 r5c3 r5c4 r5c5 r5c6 - room
    gate-1 gate-2 gate-3 gate-4 gate-5 gate-6 gate-7 gate-8 gate-9 gate-10 gate-11 gate-12
    - gate
    lever-1 lever-2 lever-3 lever-4 lever-5 lever-6 lever-7 lever-8 - lever)
  (:init
    (explorer-in r1c1)
    (lever-in lever-1 r1c2) (wired lever-1 gate-12) (wired lever-1 gate-2)
    (lever-in lever-2 r4c3) (wired lever-2 gate-1) (wired lever-2 gate-7)
    (lever-in lever-3 r1c4) (wired lever-3 gate-3) (wired lever-3 gate-5)
    (lever-in lever-4 r1c2) (wired lever-4 gate-4) (wired lever-4 gate-9)
    (lever-in lever-5 r2c1) (wired lever-5 gate-1) (wired lever-5 gate-6)
    (lever-in lever-6 r4c6) (wired lever-6 gate-7) (wired lever-6 gate-8)
    (lever-in lever-7 r1c2) (wired lever-7 gate-10)
    (lever-in lever-8 r5c6) (wired lever-8 gate-11) (wired lever-8 gate-6)
    (gateway gate-1 r1c2 r1c3)
    (gateway gate-2 r2c2 r3c2)
    (gateway gate-3 r2c4 r3c4)
    (gateway gate-4 r3c1 r4c1)
    (gateway gate-5 r3c4 r4c4)
    (gateway gate-6 r3c5 r3c6)
    (gateway gate-7 r4c1 r5c1)
    (gateway gate-8 r4c2 r4c3)
    (gateway gate-9 r4c4 r5c4)
    (gateway gate-10 r4c6 r5c6)
    (gateway gate-11 r5c3 r5c4)
    (gateway gate-12 r5c4 r5c5)
    (open gate-5) (open gate-7)
    (passage r1c1 r1c2) (passage r1c2 r2c2) (passage r1c3 r1c4) (passage r1c4 r1c5)
    (passage r1c5 r2c5) (passage r1c6 r2c6)
    (passage r2c1 r2c2) (passage r2c1 r3c1) (passage r2c3 r2c4) (passage r2c3 r3c3)
    (passage r2c4 r2c5) (passage r2c5 r2c6) (passage r2c2 r2c3)
    (passage r3c2 r4c2) (passage r3c4 r3c5) (passage r3c5 r4c5) (passage r3c3 r4c3)
    (passage r4c5 r4c6)
    (passage r5c1 r5c2))
  (:goal
    (explorer-in r5c6)))
