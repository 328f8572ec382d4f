; Spots on the lane: 2; spanners: 1; nuts: 1.
(define (problem spanner-train-02)
  (:domain spanner)
  (:objects
    shed spot-1 spot-2 gate - place
    spanner-1 - spanner
    nut-1 - nut)
  (:init
    (mechanic-at shed)
    (lane shed spot-1)
    (lane spot-1 spot-2)
    (lane spot-2 gate)
    (spanner-at spanner-1 spot-2) (usable spanner-1)
    (nut-at nut-1 gate) (loose nut-1))
  (:goal
    (tight nut-1)))
