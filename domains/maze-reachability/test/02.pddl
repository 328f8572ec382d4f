; 2 by 2 rooms; gates: 2; levers: 2.
(define (problem maze-reachability-test-02)
  (:domain maze-reachability)
  (:objects
    r1c1 r1c2 r2c1 r2c2 - room
    gate-1 gate-2 - gate
    lever-1 lever-2 - lever)
  (:init
    (explorer-in r1c1)
    (lever-in lever-1 r2c2) (wired lever-1 gate-2)
    (lever-in lever-2 r1c1) (wired lever-2 gate-1) (wired lever-2 gate-2)
    (gateway gate-1 r1c1 r1c2)
    (gateway gate-2 r2c1 r2c2)
    (passage r1c1 r2c1))
  (:goal
    (explorer-in r2c2)))
