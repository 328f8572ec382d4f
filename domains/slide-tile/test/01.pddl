; A board of 2 by 2; the gap (.) belongs in the upper left corner.
;   . 2
;   3 1
(define (problem slide-tile-test-01)
  (:domain slide-tile)
  (:objects
    r1c1 r1c2 r2c1 r2c2 - cell
    t1 t2 t3 - tile)
  (:init
    (gap-at r1c1) (tile-at t2 r1c2)
    (tile-at t3 r2c1) (tile-at t1 r2c2)
    (neighbor r1c1 r2c1 down) (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r2c2 down) (neighbor r1c2 r1c1 left)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r2c2 right)
    (neighbor r2c2 r1c2 up) (neighbor r2c2 r2c1 left))
  (:goal
    (and
      (tile-at t1 r1c2)
      (tile-at t2 r2c1)
      (tile-at t3 r2c2))))
