; 5 by 5 rooms; gates: 10; levers: 7.
(define (problem maze-reachability-train-09)
  (:domain maze-reachability)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r1c5 r2c1 r2c2 r2c3 r2c4 r2c5 r3c1 r3c2 r3c3 r3c4 r3c5 r4c1 r4c2 r4c3
    r4c4 r4c5 r5c1 r5c2 r5c3 r5c4 r5c5 - room
    gate-1 gate-2 gate-3 gate-4 gate-5 gate-6 gate-7 gate-8 gate-9 gate-10 - gate
    lever-1 lever-2 lever-3 lever-4 lever-5 lever-6 lever-7 - lever)
  (:init
    (explorer-in r1c1)
    (lever-in lever-1 r2c1) (wired lever-1 gate-10) (wired lever-1 gate-5)
    (lever-in lever-2 r3c5) (wired lever-2 gate-6) (wired lever-2 gate-9)
    (lever-in lever-3 r5c1) (wired lever-3 gate-1) (wired lever-3 gate-4)
    (lever-in lever-4 r3c5) (wired lever-4 gate-3)
    (lever-in lever-5 r5c1) (wired lever-5 gate-7)
    (lever-in lever-6 r5c1) (wired lever-6 gate-8)
    (lever-in lever-7 r5c4) (wired lever-7 gate-2)
    (gateway gate-1 r1c1 r2c1)
    (gateway gate-2 r1c2 r2c2)
    (gateway gate-3 r1c5 r2c5)
    (gateway gate-4 r3c2 r4c2)
    (gateway gate-5 r3c3 r4c3)
    (gateway gate-6 r3c4 r3c5)
    (gateway gate-7 r4c1 r5c1)
    (gateway gate-8 r4c4 r4c5)
    (gateway gate-9 r4c5 r5c5)
    (gateway gate-10 r5c3 r5c4)
    (open gate-1) (open gate-5) (open gate-7)
    (passage r1c2 r1c3) (passage r1c4 r2c4)
    (passage r2c1 r3c1) (passage r2c2 r2c3) (passage r2c2 r3c2) (passage r2c3 r2c4)
    (passage r2c3 r3c3) (passage r2c5 r3c5)
    (passage r3c1 r3c2) (passage r3c5 r4c5) (passage r3c1 r4c1)
    (passage r4c1 r4c2) (passage r4c3 r4c4) (passage r4c2 r4c3)
    (passage r5c1 r5c2) (passage r5c4 r5c5))
  (:goal
    (and
      (explorer-in r5c5)
      (not (reachable r5c5 r1c1)))))
