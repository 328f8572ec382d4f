; Sights: 1. (@ start, ^ hill, ~ water, h hut)
;   h.~
;   .@.
(define (problem hiking-test-01)
  (:domain hiking)
  (:objects
    r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 - place)
  (:init
    (at r2c2) (seen r2c2) (rested)
    (water r1c3)
    (hut r1c1)
    (adjacent r1c1 r2c1) (adjacent r1c1 r1c2)
    (adjacent r1c2 r2c2) (adjacent r1c2 r1c1) (adjacent r1c2 r1c3)
    (adjacent r1c3 r2c3) (adjacent r1c3 r1c2)
    (adjacent r2c1 r1c1) (adjacent r2c1 r2c2)
    (adjacent r2c2 r1c2) (adjacent r2c2 r2c1) (adjacent r2c2 r2c3)
    (adjacent r2c3 r1c3) (adjacent r2c3 r2c2))
  (:goal
    (seen r1c1)))
