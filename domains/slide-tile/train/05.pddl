; A board of 3 by 3; the gap (.) belongs in the upper left corner.
;   . 3 2
;   5 1 8
;   6 7 4
(define (problem slide-tile-train-05)
  (:domain slide-tile)
  (:objects
    r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 r3c1 r3c2 r3c3 - cell
    t1 t2 t3 t4 t5 t6 t7 t8 - tile)
  (:init
    (gap-at r1c1) (tile-at t3 r1c2) (tile-at t2 r1c3)
    (tile-at t5 r2c1) (tile-at t1 r2c2) (tile-at t8 r2c3)
    (tile-at t6 r3c1) (tile-at t7 r3c2) (tile-at t4 r3c3)
    (neighbor r1c1 r2c1 down) (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r2c2 down) (neighbor r1c2 r1c1 left) (neighbor r1c2 r1c3 right)
    (neighbor r1c3 r2c3 down) (neighbor r1c3 r1c2 left)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r3c1 down) (neighbor r2c1 r2c2 right)
    (neighbor r2c2 r1c2 up) (neighbor r2c2 r3c2 down) (neighbor r2c2 r2c1 left)
    (neighbor r2c2 r2c3 right)
    (neighbor r2c3 r1c3 up) (neighbor r2c3 r3c3 down) (neighbor r2c3 r2c2 left)
    (neighbor r3c1 r2c1 up) (neighbor r3c1 r3c2 right)
    (neighbor r3c2 r2c2 up) (neighbor r3c2 r3c1 left) (neighbor r3c2 r3c3 right)
    (neighbor r3c3 r2c3 up) (neighbor r3c3 r3c2 left))
  (:goal
    (and
      (tile-at t1 r1c2)
      (tile-at t2 r1c3)
      (tile-at t3 r2c1)
      (tile-at t4 r2c2)
      (tile-at t5 r2c3)
      (tile-at t6 r3c1)
      (tile-at t7 r3c2)
      (tile-at t8 r3c3))))
