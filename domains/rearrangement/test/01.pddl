; A nursery of 1 by 3 cells; toys: 1.
(define (problem rearrangement-test-01)
  (:domain rearrangement)
  (:objects
    r1c1 r1c2 r1c3 - cell
    pawn-1 - pawn)
  (:init
    (robot-at r1c3)
    (hand-free)
    (at pawn-1 r1c3)
    (adjacent r1c1 r1c2)
    (adjacent r1c2 r1c1) (adjacent r1c2 r1c3)
    (adjacent r1c3 r1c2))
  (:goal
    (at pawn-1 r1c2)))
