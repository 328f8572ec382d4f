; A nursery of 2 by 3 cells; toys: 1.
(define (problem rearrangement-test-02)
  (:domain rearrangement)
  (:objects
    r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 - cell
    pawn-1 - pawn)
  (:init
    (robot-at r1c2)
    (hand-free)
    (at pawn-1 r2c2)
    (adjacent r1c1 r2c1) (adjacent r1c1 r1c2)
    (adjacent r1c2 r2c2) (adjacent r1c2 r1c1) (adjacent r1c2 r1c3)
    (adjacent r1c3 r2c3) (adjacent r1c3 r1c2)
    (adjacent r2c1 r1c1) (adjacent r2c1 r2c2)
    (adjacent r2c2 r1c2) (adjacent r2c2 r2c1) (adjacent r2c2 r2c3)
    (adjacent r2c3 r1c3) (adjacent r2c3 r2c2))
  (:goal
    (at pawn-1 r1c2)))
