; Spots on the lane: 4; spanners: 3; nuts: 3.
(define (problem spanner-train-05)
  (:domain spanner)
  (:objects
    shed spot-1 spot-2 spot-3 spot-4 gate by-way - place
    spanner-1 spanner-2 spanner-3 - spanner
    nut-1 nut-2 nut-3 - nut)
  (:init
    (mechanic-at shed)
    (lane shed spot-1)
    (lane spot-1 spot-2)
    (lane spot-2 spot-3)
    (lane spot-3 spot-4)
    (lane spot-4 gate)
    (lane spot-2 by-way)
    (lane by-way spot-4)
    (spanner-at spanner-1 spot-1) (usable spanner-1)
    (spanner-at spanner-2 spot-1) (usable spanner-2)
    (spanner-at spanner-3 spot-3) (usable spanner-3)
    (nut-at nut-1 gate) (loose nut-1)
    (nut-at nut-2 gate) (loose nut-2)
    (nut-at nut-3 gate) (loose nut-3))
  (:goal
    (and
      (tight nut-1)
      (tight nut-2)
      (tight nut-3))))
