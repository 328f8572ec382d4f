; Sights: 1. (@ start, ^ hill, ~ water, h hut)
;   @^
;   ^.
(define (problem hiking-train-01)
  (:domain hiking)
  (:objects
    r1c1 r1c2 r2c1 r2c2 - place)
  (:init
    (at r1c1) (seen r1c1) (rested)
    (hill r1c2) (hill r2c1)
    (adjacent r1c1 r2c1) (adjacent r1c1 r1c2)
    (adjacent r1c2 r2c2) (adjacent r1c2 r1c1)
    (adjacent r2c1 r1c1) (adjacent r2c1 r2c2)
    (adjacent r2c2 r1c2) (adjacent r2c2 r2c1))
  (:goal
    (seen r2c2)))
