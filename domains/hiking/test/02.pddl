; Sights: 1. (@ start, ^ hill, ~ water, h hut)
;   ^.h
;   @^~
;   ~^.
(define (problem hiking-test-02)
  (:domain hiking)
  (:objects
    r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 r3c1 r3c2 r3c3 - place)
  (:init
    (at r2c1) (seen r2c1)
    (hill r1c1) (hill r2c2) (hill r3c2)
    (water r2c3) (water r3c1)
    (hut r1c3) (hut r2c1)
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
    (seen r1c3)))
