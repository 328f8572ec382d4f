; Sights: 2. (@ start, ^ hill, ~ water, h hut)
;   .^h^.
;   ~..^~
;   ....^
;   @....
;   ^.hh^
(define (problem hiking-train-06)
  (:domain hiking)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r1c5 r2c1 r2c2 r2c3 r2c4 r2c5 r3c1 r3c2 r3c3 r3c4 r3c5 r4c1 r4c2 r4c3
    r4c4 r4c5 r5c1 r5c2 r5c3 r5c4 r5c5 - place)
  (:init
    (at r4c1) (seen r4c1)
    (hill r1c2) (hill r1c4) (hill r2c4) (hill r3c5) (hill r5c1) (hill r5c5)
    (water r2c1) (water r2c5)
    (hut r1c3) (hut r5c3) (hut r5c4)
    (adjacent r1c1 r2c1) (adjacent r1c1 r1c2)
    (adjacent r1c2 r2c2) (adjacent r1c2 r1c1) (adjacent r1c2 r1c3)
    (adjacent r1c3 r2c3) (adjacent r1c3 r1c2) (adjacent r1c3 r1c4)
    (adjacent r1c4 r2c4) (adjacent r1c4 r1c3) (adjacent r1c4 r1c5)
    (adjacent r1c5 r2c5) (adjacent r1c5 r1c4)
    (adjacent r2c1 r1c1) (adjacent r2c1 r3c1) (adjacent r2c1 r2c2)
    (adjacent r2c2 r1c2) (adjacent r2c2 r3c2) (adjacent r2c2 r2c1) (adjacent r2c2 r2c3)
    (adjacent r2c3 r1c3) (adjacent r2c3 r3c3) (adjacent r2c3 r2c2) (adjacent r2c3 r2c4)
    (adjacent r2c4 r1c4) (adjacent r2c4 r3c4) (adjacent r2c4 r2c3) (adjacent r2c4 r2c5)
    (adjacent r2c5 r1c5) (adjacent r2c5 r3c5) (adjacent r2c5 r2c4)
    (adjacent r3c1 r2c1) (adjacent r3c1 r4c1) (adjacent r3c1 r3c2)
    (adjacent r3c2 r2c2) (adjacent r3c2 r4c2) (adjacent r3c2 r3c1) (adjacent r3c2 r3c3)
    (adjacent r3c3 r2c3) (adjacent r3c3 r4c3) (adjacent r3c3 r3c2) (adjacent r3c3 r3c4)
    (adjacent r3c4 r2c4) (adjacent r3c4 r4c4) (adjacent r3c4 r3c3) (adjacent r3c4 r3c5)
    (adjacent r3c5 r2c5) (adjacent r3c5 r4c5) (adjacent r3c5 r3c4)
    (adjacent r4c1 r3c1) (adjacent r4c1 r5c1) (adjacent r4c1 r4c2)
    (adjacent r4c2 r3c2) (adjacent r4c2 r5c2) (adjacent r4c2 r4c1) (adjacent r4c2 r4c3)
    (adjacent r4c3 r3c3) (adjacent r4c3 r5c3) (adjacent r4c3 r4c2) (adjacent r4c3 r4c4)
    (adjacent r4c4 r3c4) (adjacent r4c4 r5c4) (adjacent r4c4 r4c3) (adjacent r4c4 r4c5)
    (adjacent r4c5 r3c5) (adjacent r4c5 r5c5) (adjacent r4c5 r4c4)
    (adjacent r5c1 r4c1) (adjacent r5c1 r5c2)
    (adjacent r5c2 r4c2) (adjacent r5c2 r5c1) (adjacent r5c2 r5c3)
    (adjacent r5c3 r4c3) (adjacent r5c3 r5c2) (adjacent r5c3 r5c4)
    (adjacent r5c4 r4c4) (adjacent r5c4 r5c3) (adjacent r5c4 r5c5)
    (adjacent r5c5 r4c5) (adjacent r5c5 r5c4))
  (:goal
    (and
      (seen r2c4)
      (seen r3c2))))
