; Spots on the lane: 10; spanners: 6; nuts: 5.
(define (problem spanner-train-09)
  (:domain spanner)
  (:objects
    shed spot-1 spot-2 spot-3 spot-4 spot-5 spot-6 spot-7 spot-8 spot-9 spot-10 gate by-way
    - place
    spanner-1 spanner-2 spanner-3 spanner-4 spanner-5 spanner-6 - spanner
    nut-1 nut-2 nut-3 nut-4 nut-5 - nut)
  (:init
    (mechanic-at shed)
    (lane shed spot-1)
    (lane spot-1 spot-2)
    (lane spot-2 spot-3)
    (lane spot-3 spot-4)
    (lane spot-4 spot-5)
    (lane spot-5 spot-6)
    (lane spot-6 spot-7)
    (lane spot-7 spot-8)
    (lane spot-8 spot-9)
    (lane spot-9 spot-10)
    (lane spot-10 gate)
    (lane spot-5 by-way)
    (lane by-way spot-7)
    (spanner-at spanner-1 spot-4) (usable spanner-1)
    (spanner-at spanner-2 spot-6) (usable spanner-2)
    (spanner-at spanner-3 spot-5) (usable spanner-3)
    (spanner-at spanner-4 spot-2) (usable spanner-4)
    (spanner-at spanner-5 spot-10) (usable spanner-5)
    (spanner-at spanner-6 spot-2) (usable spanner-6)
    (nut-at nut-1 gate) (loose nut-1)
    (nut-at nut-2 gate) (loose nut-2)
    (nut-at nut-3 gate) (loose nut-3)
    (nut-at nut-4 gate) (loose nut-4)
    (nut-at nut-5 gate) (loose nut-5))
  (:goal
    (and
      (tight nut-1)
      (tight nut-2)
      (tight nut-3)
      (tight nut-4)
      (tight nut-5))))
