; A board of 4 by 4; the gap (.) belongs in the upper left corner.
;    5  8  3  4
;   10 12  7  .
;   15 13  1  2
;    6 11  9 14
(define (problem slide-tile-test-10)
  (:domain slide-tile)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r2c1 r2c2 r2c3 r2c4 r3c1 r3c2 r3c3 r3c4 r4c1 r4c2 r4c3 r4c4 - cell
    t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12 t13 t14 t15 - tile)
  (:init
    (tile-at t5 r1c1) (tile-at t8 r1c2) (tile-at t3 r1c3) (tile-at t4 r1c4)
    (tile-at t10 r2c1) (tile-at t12 r2c2) (tile-at t7 r2c3) (gap-at r2c4)
    (tile-at t15 r3c1) (tile-at t13 r3c2) (tile-at t1 r3c3) (tile-at t2 r3c4)
    (tile-at t6 r4c1) (tile-at t11 r4c2) (tile-at t9 r4c3) (tile-at t14 r4c4)
    (neighbor r1c1 r2c1 down) (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r2c2 down) (neighbor r1c2 r1c1 left) (neighbor r1c2 r1c3 right)
    (neighbor r1c3 r2c3 down) (neighbor r1c3 r1c2 left) (neighbor r1c3 r1c4 right)
    (neighbor r1c4 r2c4 down) (neighbor r1c4 r1c3 left)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r3c1 down) (neighbor r2c1 r2c2 right)
    (neighbor r2c2 r1c2 up) (neighbor r2c2 r3c2 down) (neighbor r2c2 r2c1 left)
    (neighbor r2c2 r2c3 right)
    (neighbor r2c3 r1c3 up) (neighbor r2c3 r3c3 down) (neighbor r2c3 r2c2 left)
    (neighbor r2c3 r2c4 right)
    (neighbor r2c4 r1c4 up) (neighbor r2c4 r3c4 down) (neighbor r2c4 r2c3 left)
    (neighbor r3c1 r2c1 up) (neighbor r3c1 r4c1 down) (neighbor r3c1 r3c2 right)
    (neighbor r3c2 r2c2 up) (neighbor r3c2 r4c2 down) (neighbor r3c2 r3c1 left)
    (neighbor r3c2 r3c3 right)
    (neighbor r3c3 r2c3 up) (neighbor r3c3 r4c3 down) (neighbor r3c3 r3c2 left)
    (neighbor r3c3 r3c4 right)
    (neighbor r3c4 r2c4 up) (neighbor r3c4 r4c4 down) (neighbor r3c4 r3c3 left)
    (neighbor r4c1 r3c1 up) (neighbor r4c1 r4c2 right)
    (neighbor r4c2 r3c2 up) (neighbor r4c2 r4c1 left) (neighbor r4c2 r4c3 right)
    (neighbor r4c3 r3c3 up) (neighbor r4c3 r4c2 left) (neighbor r4c3 r4c4 right)
    (neighbor r4c4 r3c4 up) (neighbor r4c4 r4c3 left))
  (:goal
    (and
      (tile-at t1 r1c2)
      (tile-at t2 r1c3)
      (tile-at t3 r1c4)
      (tile-at t4 r2c1)
      (tile-at t5 r2c2)
      (tile-at t6 r2c3)
      (tile-at t7 r2c4)
      (tile-at t8 r3c1)
      (tile-at t9 r3c2)
      (tile-at t10 r3c3)
      (tile-at t11 r3c4)
      (tile-at t12 r4c1)
      (tile-at t13 r4c2)
      (tile-at t14 r4c3)
      (tile-at t15 r4c4))))
