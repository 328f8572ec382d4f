; 3 rows, 2 columns; the bottom and top rows are free of risk.
(define (problem navigation-train-02)
  (:domain navigation)
  (:objects
    r1c1 r1c2 r2c1 r2c2 r3c1 r3c2 - cell)
  (:init
    (robot-at r3c2)
    (risk r1c1 none) (risk r1c2 none)
    (risk r2c1 slight) (risk r2c2 extreme)
    (risk r3c1 none) (risk r3c2 none)
    (neighbor r1c1 r2c1 south) (neighbor r1c1 r1c2 east)
    (neighbor r1c2 r2c2 south) (neighbor r1c2 r1c1 west)
    (neighbor r2c1 r1c1 north) (neighbor r2c1 r3c1 south) (neighbor r2c1 r2c2 east)
    (neighbor r2c2 r1c2 north) (neighbor r2c2 r3c2 south) (neighbor r2c2 r2c1 west)
    (neighbor r3c1 r2c1 north) (neighbor r3c1 r3c2 east)
    (neighbor r3c2 r2c2 north) (neighbor r3c2 r3c1 west))
  (:goal
    (robot-at r1c2)))
