; A nursery of 2 by 2 cells; toys: 2.
(define (problem rearrangement-test-03)
  (:domain rearrangement)
  (:objects
    r1c1 r1c2 r2c1 r2c2 - cell
    bear-1 - bear
    monkey-1 - monkey)
  (:init
    (robot-at r2c1)
    (hand-free)
    (at monkey-1 r2c1) (at bear-1 r2c2)
    (adjacent r1c1 r2c1) (adjacent r1c1 r1c2)
    (adjacent r1c2 r2c2) (adjacent r1c2 r1c1)
    (adjacent r2c1 r1c1) (adjacent r2c1 r2c2)
    (adjacent r2c2 r1c2) (adjacent r2c2 r2c1))
  (:goal
    (and
      (at monkey-1 r2c1)
      (at bear-1 r1c2)
      (hand-free))))
