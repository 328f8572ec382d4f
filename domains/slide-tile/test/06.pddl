; A board of 2 by 4; the gap (.) belongs in the upper left corner.
;   4 5 6 1
;   7 . 2 3
(define (problem slide-tile-test-06)
  (:domain slide-tile)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r2c1 r2c2 r2c3 r2c4 - cell
    t1 t2 t3 t4 t5 t6 t7 - tile)
  (:init
    (tile-at t4 r1c1) (tile-at t5 r1c2) (tile-at t6 r1c3) (tile-at t1 r1c4)
    (tile-at t7 r2c1) (gap-at r2c2) (tile-at t2 r2c3) (tile-at t3 r2c4)
    (neighbor r1c1 r2c1 down) (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r2c2 down) (neighbor r1c2 r1c1 left) (neighbor r1c2 r1c3 right)
    (neighbor r1c3 r2c3 down) (neighbor r1c3 r1c2 left) (neighbor r1c3 r1c4 right)
    (neighbor r1c4 r2c4 down) (neighbor r1c4 r1c3 left)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r2c2 right)
    (neighbor r2c2 r1c2 up) (neighbor r2c2 r2c1 left) (neighbor r2c2 r2c3 right)
    (neighbor r2c3 r1c3 up) (neighbor r2c3 r2c2 left) (neighbor r2c3 r2c4 right)
    (neighbor r2c4 r1c4 up) (neighbor r2c4 r2c3 left))
  (:goal
    (and
      (tile-at t1 r1c2)
      (tile-at t2 r1c3)
      (tile-at t3 r1c4)
      (tile-at t4 r2c1)
      (tile-at t5 r2c2)
      (tile-at t6 r2c3)
      (tile-at t7 r2c4))))
