; Sights: 1. (@ start, ^ hill, ~ water, h hut)
;   .^.^
;   .~@.
;   .^.h
;   ^~..
(define (problem hiking-test-04)
  (:domain hiking)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r2c1 r2c2 r2c3 r2c4 r3c1 r3c2 r3c3 r3c4 r4c1 r4c2 r4c3 r4c4 - place)
  (:init
    (at r2c3) (seen r2c3)
    (hill r1c2) (hill r1c4) (hill r3c2) (hill r4c1)
    (water r2c2) (water r4c2)
    (hut r3c4)
    (adjacent r1c1 r2c1) (adjacent r1c1 r1c2)
    (adjacent r1c2 r2c2) (adjacent r1c2 r1c1) (adjacent r1c2 r1c3)
    (adjacent r1c3 r2c3) (adjacent r1c3 r1c2) (adjacent r1c3 r1c4)
    (adjacent r1c4 r2c4) (adjacent r1c4 r1c3)
    (adjacent r2c1 r1c1) (adjacent r2c1 r3c1) (adjacent r2c1 r2c2)
    (adjacent r2c2 r1c2) (adjacent r2c2 r3c2) (adjacent r2c2 r2c1) (adjacent r2c2 r2c3)
    (adjacent r2c3 r1c3) (adjacent r2c3 r3c3) (adjacent r2c3 r2c2) (adjacent r2c3 r2c4)
    (adjacent r2c4 r1c4) (adjacent r2c4 r3c4) (adjacent r2c4 r2c3)
    (adjacent r3c1 r2c1) (adjacent r3c1 r4c1) (adjacent r3c1 r3c2)
    (adjacent r3c2 r2c2) (adjacent r3c2 r4c2) (adjacent r3c2 r3c1) (adjacent r3c2 r3c3)
    (adjacent r3c3 r2c3) (adjacent r3c3 r4c3) (adjacent r3c3 r3c2) (adjacent r3c3 r3c4)
    (adjacent r3c4 r2c4) (adjacent r3c4 r4c4) (adjacent r3c4 r3c3)
    (adjacent r4c1 r3c1) (adjacent r4c1 r4c2)
    (adjacent r4c2 r3c2) (adjacent r4c2 r4c1) (adjacent r4c2 r4c3)
    (adjacent r4c3 r3c3) (adjacent r4c3 r4c2) (adjacent r4c3 r4c4)
    (adjacent r4c4 r3c4) (adjacent r4c4 r4c3))
  (:goal
    (seen r1c4)))
