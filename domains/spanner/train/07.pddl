; Spots on the lane: 6; spanners: 5; nuts: 4.
(define (problem spanner-train-07)
  (:domain spanner)
  (:objects
    shed spot-1 spot-2 spot-3 spot-4 spot-5 spot-6 gate by-way - place
    spanner-1 spanner-2 spanner-3 spanner-4 spanner-5 - spanner
    nut-1 nut-2 nut-3 nut-4 - nut)
  (:init
    (mechanic-at shed)
    (lane shed spot-1)
    (lane spot-1 spot-2)
    (lane spot-2 spot-3)
    (lane spot-3 spot-4)
    (lane spot-4 spot-5)
    (lane spot-5 spot-6)
    (lane spot-6 gate)
    (lane spot-3 by-way)
    (lane by-way spot-5)
    (spanner-at spanner-1 spot-1) (usable spanner-1)
    (spanner-at spanner-2 spot-4) (usable spanner-2)
    (spanner-at spanner-3 spot-5) (usable spanner-3)
    (spanner-at spanner-4 spot-5) (usable spanner-4)
    (spanner-at spanner-5 spot-3) (usable spanner-5)
    (nut-at nut-1 gate) (loose nut-1)
    (nut-at nut-2 gate) (loose nut-2)
    (nut-at nut-3 gate) (loose nut-3)
    (nut-at nut-4 gate) (loose nut-4))
  (:goal
    (and
      (tight nut-1)
      (tight nut-2)
      (tight nut-3)
      (tight nut-4))))
