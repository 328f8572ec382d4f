; 1 by 3 rooms; gates: 1; levers: 1.
(define (problem maze-reachability-train-01)
  (:domain maze-reachability)
  (:objects
    r1c1 r1c2 r1c3 - room
    gate-1 - gate
    lever-1 - lever)
  (:init
    (explorer-in r1c1)
    (lever-in lever-1 r1c1) (wired lever-1 gate-1)
    (gateway gate-1 r1c1 r1c2)
    (passage r1c2 r1c3))
  (:goal
    (explorer-in r1c3)))
