; Apples: 1. (O head, o tail, a first apple, # stone)
;   ..a
;   .O.
;   .o.
(define (problem snake-train-02)
  (:domain snake)
  (:objects
    r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 r3c1 r3c2 r3c3 - cell)
  (:init
    (head-at r2c2) (tail-at r3c2) (ahead r2c2 r3c2)
    (apple-at r1c3) (last-apple r1c3)
    (clear r1c1) (clear r1c2) (clear r1c3)
    (clear r2c1) (clear r2c3)
    (clear r3c1) (clear r3c3)
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
    (all-eaten)))
