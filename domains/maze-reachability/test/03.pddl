; 2 by 4 rooms; gates: 2; levers: 2.
(define (problem maze-reachability-test-03)
  (:domain maze-reachability)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r2c1 r2c2 r2c3 r2c4 - room
    gate-1 gate-2 - gate
    lever-1 lever-2 - lever)
  (:init
    (explorer-in r1c1)
    (lever-in lever-1 r1c1) (wired lever-1 gate-1)
    (lever-in lever-2 r2c3) (wired lever-2 gate-1) (wired lever-2 gate-2)
    (gateway gate-1 r1c1 r2c1)
    (gateway gate-2 r1c3 r1c4)
    (passage r1c2 r1c3) (passage r1c2 r2c2) (passage r1c3 r2c3)
    (passage r2c1 r2c2) (passage r2c3 r2c4))
  (:goal
    (and
      (explorer-in r2c4)
      (not (reachable r2c4 r1c1)))))
