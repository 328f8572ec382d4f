; Spots on the lane: 1; spanners: 2; nuts: 1.
(define (problem spanner-test-01)
  (:domain spanner)
  (:objects
    shed spot-1 gate - place
    spanner-1 spanner-2 - spanner
    nut-1 - nut)
  (:init
    (mechanic-at spot-1)
    (lane shed spot-1)
    (lane spot-1 gate)
    (spanner-at spanner-1 spot-1) (usable spanner-1)
    (spanner-at spanner-2 spot-1) (usable spanner-2)
    (nut-at nut-1 gate) (loose nut-1))
  (:goal
    (tight nut-1)))
