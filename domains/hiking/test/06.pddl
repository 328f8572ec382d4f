; Sights: 3. (@ start, ^ hill, ~ water, h hut)
;   ^.~^^.
;   h~^^.^
;   ^.^h..
;   ^^.^..
;   @^..h^
(define (problem hiking-test-06)
  (:domain hiking)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r1c5 r1c6 r2c1 r2c2 r2c3 r2c4 r2c5 r2c6 r3c1 r3c2 r3c3 r3c4 r3c5 r3c6
    r4c1 r4c2 r4c3 r4c4 r4c5 r4c6 r5c1 r5c2 r5c3 r5c4 r5c5 r5c6 - place)
  (:init
    (at r5c1) (seen r5c1)
    (hill r1c1) (hill r1c4) (hill r1c5) (hill r2c3) (hill r2c4) (hill r2c6) (hill r3c1)
    (hill r3c3) (hill r4c1) (hill r4c2) (hill r4c4) (hill r5c2) (hill r5c6)
    (water r1c3) (water r2c2)
    (hut r2c1) (hut r3c4) (hut r5c1) (hut r5c5)
    (adjacent r1c1 r2c1) (adjacent r1c1 r1c2)
    (adjacent r1c2 r2c2) (adjacent r1c2 r1c1) (adjacent r1c2 r1c3)
    (adjacent r1c3 r2c3) (adjacent r1c3 r1c2) (adjacent r1c3 r1c4)
    (adjacent r1c4 r2c4) (adjacent r1c4 r1c3) (adjacent r1c4 r1c5)
    (adjacent r1c5 r2c5) (adjacent r1c5 r1c4) (adjacent r1c5 r1c6)
    (adjacent r1c6 r2c6) (adjacent r1c6 r1c5)
    (adjacent r2c1 r1c1) (adjacent r2c1 r3c1) (adjacent r2c1 r2c2)
    (adjacent r2c2 r1c2) (adjacent r2c2 r3c2) (adjacent r2c2 r2c1) (adjacent r2c2 r2c3)
    (adjacent r2c3 r1c3) (adjacent r2c3 r3c3) (adjacent r2c3 r2c2) (adjacent r2c3 r2c4)
    (adjacent r2c4 r1c4) (adjacent r2c4 r3c4) (adjacent r2c4 r2c3) (adjacent r2c4 r2c5)
    (adjacent r2c5 r1c5) (adjacent r2c5 r3c5) (adjacent r2c5 r2c4) (adjacent r2c5 r2c6)
    (adjacent r2c6 r1c6) (adjacent r2c6 r3c6) (adjacent r2c6 r2c5)
    (adjacent r3c1 r2c1) (adjacent r3c1 r4c1) (adjacent r3c1 r3c2)
    (adjacent r3c2 r2c2) (adjacent r3c2 r4c2) (adjacent r3c2 r3c1) (adjacent r3c2 r3c3)
    (adjacent r3c3 r2c3) (adjacent r3c3 r4c3) (adjacent r3c3 r3c2) (adjacent r3c3 r3c4)
    (adjacent r3c4 r2c4) (adjacent r3c4 r4c4) (adjacent r3c4 r3c3) (adjacent r3c4 r3c5)
    (adjacent r3c5 r2c5) (adjacent r3c5 r4c5) (adjacent r3c5 r3c4) (adjacent r3c5 r3c6)
    (adjacent r3c6 r2c6) (adjacent r3c6 r4c6) (adjacent r3c6 r3c5)
    (adjacent r4c1 r3c1) (adjacent r4c1 r5c1) (adjacent r4c1 r4c2)
    (adjacent r4c2 r3c2) (adjacent r4c2 r5c2) (adjacent r4c2 r4c1) (adjacent r4c2 r4c3)
    (adjacent r4c3 r3c3) (adjacent r4c3 r5c3) (adjacent r4c3 r4c2) (adjacent r4c3 r4c4)
    (adjacent r4c4 r3c4) (adjacent r4c4 r5c4) (adjacent r4c4 r4c3) (adjacent r4c4 r4c5)
    (adjacent r4c5 r3c5) (adjacent r4c5 r5c5) (adjacent r4c5 r4c4) (adjacent r4c5 r4c6)
    (adjacent r4c6 r3c6) (adjacent r4c6 r5c6) (adjacent r4c6 r4c5)
    (adjacent r5c1 r4c1) (adjacent r5c1 r5c2)
    (adjacent r5c2 r4c2) (adjacent r5c2 r5c1) (adjacent r5c2 r5c3)
    (adjacent r5c3 r4c3) (adjacent r5c3 r5c2) (adjacent r5c3 r5c4)
    (adjacent r5c4 r4c4) (adjacent r5c4 r5c3) (adjacent r5c4 r5c5)
    (adjacent r5c5 r4c5) (adjacent r5c5 r5c4) (adjacent r5c5 r5c6)
    (adjacent r5c6 r4c6) (adjacent r5c6 r5c5))
  (:goal
    (and
      (seen r3c4)
      (seen r4c3)
      (seen r5c2))))
