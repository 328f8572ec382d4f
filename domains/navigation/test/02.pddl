; 3 rows, 3 columns; the bottom and top rows are free of risk.
(define (problem navigation-test-02)
  (:domain navigation)
  (:objects
    r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 r3c1 r3c2 r3c3 - cell)
  (:init
    (robot-at r3c3)
    (risk r1c1 none) (risk r1c2 none) (risk r1c3 none)
    (risk r2c1 slight) (risk r2c2 medium) (risk r2c3 extreme)
    (risk r3c1 none) (risk r3c2 none) (risk r3c3 none)
    (neighbor r1c1 r2c1 south) (neighbor r1c1 r1c2 east)
    (neighbor r1c2 r2c2 south) (neighbor r1c2 r1c3 east) (neighbor r1c2 r1c1 west)
    (neighbor r1c3 r2c3 south) (neighbor r1c3 r1c2 west)
    (neighbor r2c1 r1c1 north) (neighbor r2c1 r3c1 south) (neighbor r2c1 r2c2 east)
    (neighbor r2c2 r1c2 north) (neighbor r2c2 r3c2 south) (neighbor r2c2 r2c3 east)
    (neighbor r2c2 r2c1 west)
    (neighbor r2c3 r1c3 north) (neighbor r2c3 r3c3 south) (neighbor r2c3 r2c2 west)
    (neighbor r3c1 r2c1 north) (neighbor r3c1 r3c2 east)
    (neighbor r3c2 r2c2 north) (neighbor r3c2 r3c3 east) (neighbor r3c2 r3c1 west)
    (neighbor r3c3 r2c3 north) (neighbor r3c3 r3c2 west))
  (:goal
    (robot-at r1c3)))
