; A nursery of 3 by 4 cells; toys: 3.
(define (problem rearrangement-test-04)
  (:domain rearrangement)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r2c1 r2c2 r2c3 r2c4 r3c1 r3c2 r3c3 r3c4 - cell
    pawn-1 - pawn
    bear-1 - bear
    monkey-1 - monkey)
  (:init
    (robot-at r3c3)
    (hand-free)
    (at pawn-1 r2c2) (at bear-1 r1c3) (at monkey-1 r3c4)
    (adjacent r1c1 r2c1) (adjacent r1c1 r1c2)
    (adjacent r1c2 r2c2) (adjacent r1c2 r1c1) (adjacent r1c2 r1c3)
    (adjacent r1c3 r2c3) (adjacent r1c3 r1c2) (adjacent r1c3 r1c4)
    (adjacent r1c4 r2c4) (adjacent r1c4 r1c3)
    (adjacent r2c1 r1c1) (adjacent r2c1 r3c1) (adjacent r2c1 r2c2)
    (adjacent r2c2 r1c2) (adjacent r2c2 r3c2) (adjacent r2c2 r2c1) (adjacent r2c2 r2c3)
    (adjacent r2c3 r1c3) (adjacent r2c3 r3c3) (adjacent r2c3 r2c2) (adjacent r2c3 r2c4)
    (adjacent r2c4 r1c4) (adjacent r2c4 r3c4) (adjacent r2c4 r2c3)
    (adjacent r3c1 r2c1) (adjacent r3c1 r3c2)
    (adjacent r3c2 r2c2) (adjacent r3c2 r3c1) (adjacent r3c2 r3c3)
    (adjacent r3c3 r2c3) (adjacent r3c3 r3c2) (adjacent r3c3 r3c4)
    (adjacent r3c4 r2c4) (adjacent r3c4 r3c3))
  (:goal
    (and
      (at pawn-1 r3c3)
      (exists (?bear - bear)
        (at ?bear r2c2))
      (at monkey-1 r1c2)
      (hand-free))))
