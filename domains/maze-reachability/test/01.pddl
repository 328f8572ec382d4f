; 1 by 4 rooms; gates: 1; levers: 1.
(define (problem maze-reachability-test-01)
  (:domain maze-reachability)
  (:objects
    r1c1 r1c2 r1c3 r1c4 - room
    gate-1 - gate
    lever-1 - lever)
  (:init
    (explorer-in r1c1)
    (lever-in lever-1 r1c2) (wired lever-1 gate-1)
    (gateway gate-1 r1c2 r1c3)
    (passage r1c1 r1c2) (passage r1c3 r1c4))
  (:goal
    (explorer-in r1c4)))
