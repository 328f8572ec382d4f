; A nursery of 2 by 3 cells; toys: 2.
(define (problem rearrangement-train-03)
  (:domain rearrangement)
  (:objects
    r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 - cell
    bear-1 - bear
    monkey-1 - monkey)
  (:init
    (robot-at r1c3)
    (hand-free)
    (at bear-1 r1c2) (at monkey-1 r2c1)
    (adjacent r1c1 r2c1) (adjacent r1c1 r1c2)
    (adjacent r1c2 r2c2) (adjacent r1c2 r1c1) (adjacent r1c2 r1c3)
    (adjacent r1c3 r2c3) (adjacent r1c3 r1c2)
    (adjacent r2c1 r1c1) (adjacent r2c1 r2c2)
    (adjacent r2c2 r1c2) (adjacent r2c2 r2c1) (adjacent r2c2 r2c3)
    (adjacent r2c3 r1c3) (adjacent r2c3 r2c2))
  (:goal
    (and
      (at bear-1 r1c3)
      (at monkey-1 r1c1)
      (hand-free))))
