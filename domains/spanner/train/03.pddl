; Spots on the lane: 2; spanners: 2; nuts: 2.
(define (problem spanner-train-03)
  (:domain spanner)
  (:objects
    shed spot-1 spot-2 gate - place
    spanner-1 spanner-2 - spanner
    nut-1 nut-2 - nut)
  (:init
    (mechanic-at shed)
    (lane shed spot-1)
    (lane spot-1 spot-2)
    (lane spot-2 gate)
    (spanner-at spanner-1 spot-2) (usable spanner-1)
    (spanner-at spanner-2 spot-1) (usable spanner-2)
    (nut-at nut-1 gate) (loose nut-1)
    (nut-at nut-2 gate) (loose nut-2))
  (:goal
    (and
      (tight nut-1)
      (tight nut-2))))
