; 2 rows, 3 columns; the bottom and top rows are almost free of risk.
(define (problem navigation-test-01)
  (:domain navigation)
  (:objects
    r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 - cell)
  (:init
    (robot-at r2c1)
    (risk r1c1 low) (risk r1c2 none) (risk r1c3 none)
    (risk r2c1 none) (risk r2c2 none) (risk r2c3 none)
    (neighbor r1c1 r2c1 south) (neighbor r1c1 r1c2 east)
    (neighbor r1c2 r2c2 south) (neighbor r1c2 r1c3 east) (neighbor r1c2 r1c1 west)
    (neighbor r1c3 r2c3 south) (neighbor r1c3 r1c2 west)
    (neighbor r2c1 r1c1 north) (neighbor r2c1 r2c2 east)
    (neighbor r2c2 r1c2 north) (neighbor r2c2 r2c3 east) (neighbor r2c2 r2c1 west)
    (neighbor r2c3 r1c3 north) (neighbor r2c3 r2c2 west))
  (:goal
    (robot-at r1c3)))
