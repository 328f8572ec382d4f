; 2 by 2 rooms; gates: 1; levers: 1.
(define (problem maze-reachability-train-02)
  (:domain maze-reachability)
  (:objects
    r1c1 r1c2 r2c1 r2c2 - room
    gate-1 - gate
    lever-1 - lever)
  (:init
    (explorer-in r1c1)
    (lever-in lever-1 r1c2) (wired lever-1 gate-1)
    (gateway gate-1 r1c2 r2c2)
    (passage r1c1 r1c2) (passage r1c1 r2c1))
  (:goal
    (explorer-in r2c2)))
