; Sights: 1. (@ start, ^ hill, ~ water, h hut)
;   ..~
;   ..^
;   @.^
(define (problem hiking-train-03)
  (:domain hiking)
  (:objects
    r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 r3c1 r3c2 r3c3 - place)
  (:init
    (at r3c1) (seen r3c1) (rested)
    (hill r2c3) (hill r3c3)
    (water r1c3)
    (hut r3c1)
    (adjacent r1c1 r2c1) (adjacent r1c1 r1c2)
    (adjacent r1c2 r2c2) (adjacent r1c2 r1c1) (adjacent r1c2 r1c3)
    (adjacent r1c3 r2c3) (adjacent r1c3 r1c2)
    (adjacent r2c1 r1c1) (adjacent r2c1 r3c1) (adjacent r2c1 r2c2)
    (adjacent r2c2 r1c2) (adjacent r2c2 r3c2) (adjacent r2c2 r2c1) (adjacent r2c2 r2c3)
    (adjacent r2c3 r1c3) (adjacent r2c3 r3c3) (adjacent r2c3 r2c2)
    (adjacent r3c1 r2c1) (adjacent r3c1 r3c2)
    (adjacent r3c2 r2c2) (adjacent r3c2 r3c1) (adjacent r3c2 r3c3)
    (adjacent r3c3 r2c3) (adjacent r3c3 r3c2))
  (:goal
    (seen r2c3)))
