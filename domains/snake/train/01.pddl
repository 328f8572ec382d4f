; Apples: 1. (O head, o tail, a first apple, # stone)
;   a.o
;   ..O
(define (problem snake-train-01)
  (:domain snake)
  (:objects
    r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 - cell)
  (:init
    (head-at r2c3) (tail-at r1c3) (ahead r2c3 r1c3)
    (apple-at r1c1) (last-apple r1c1)
    (clear r1c1) (clear r1c2)
    (clear r2c1) (clear r2c2)
    (neighbor r1c1 r2c1 down) (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r2c2 down) (neighbor r1c2 r1c1 left) (neighbor r1c2 r1c3 right)
    (neighbor r1c3 r2c3 down) (neighbor r1c3 r1c2 left)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r2c2 right)
    (neighbor r2c2 r1c2 up) (neighbor r2c2 r2c1 left) (neighbor r2c2 r2c3 right)
    (neighbor r2c3 r1c3 up) (neighbor r2c3 r2c2 left))
  (:goal
    (all-eaten)))
