; Spots on the lane: 3; spanners: 3; nuts: 2.
(define (problem spanner-train-04)
  (:domain spanner)
  (:objects
    shed spot-1 spot-2 spot-3 gate - place
    spanner-1 spanner-2 spanner-3 - spanner
    nut-1 nut-2 - nut)
  (:init
    (mechanic-at shed)
    (lane shed spot-1)
    (lane spot-1 spot-2)
    (lane spot-2 spot-3)
    (lane spot-3 gate)
    (spanner-at spanner-1 spot-3) (usable spanner-1)
    (spanner-at spanner-2 spot-2) (usable spanner-2)
    (spanner-at spanner-3 spot-3) (usable spanner-3)
    (nut-at nut-1 gate) (loose nut-1)
    (nut-at nut-2 gate) (loose nut-2))
  (:goal
    (and
      (tight nut-1)
      (tight nut-2))))
