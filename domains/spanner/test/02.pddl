; Spots on the lane: 3; spanners: 1; nuts: 1.
(define (problem spanner-test-02)
  (:domain spanner)
  (:objects
    shed spot-1 spot-2 spot-3 gate - place
    spanner-1 - spanner
    nut-1 - nut)
  (:init
    (mechanic-at shed)
    (lane shed spot-1)
    (lane spot-1 spot-2)
    (lane spot-2 spot-3)
    (lane spot-3 gate)
    (spanner-at spanner-1 spot-2) (usable spanner-1)
    (nut-at nut-1 gate) (loose nut-1))
  (:goal
    (tight nut-1)))
