; Apples: 4. (O head, o tail, a first apple, # stone)
;   ..oO
;   ....
;   ...a
;   ....
(define (problem snake-test-04)
  (:domain snake)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r2c1 r2c2 r2c3 r2c4 r3c1 r3c2 r3c3 r3c4 r4c1 r4c2 r4c3 r4c4 - cell)
  (:init
    (head-at r1c4) (tail-at r1c3) (ahead r1c4 r1c3)
    (apple-at r3c4) (next-apple r3c4 r4c1) (next-apple r4c1 r3c3) (next-apple r3c3 r1c1)
    (last-apple r1c1)
    (clear r1c1) (clear r1c2)
    (clear r2c1) (clear r2c2) (clear r2c3) (clear r2c4)
    (clear r3c1) (clear r3c2) (clear r3c3) (clear r3c4)
    (clear r4c1) (clear r4c2) (clear r4c3) (clear r4c4)
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
    (all-eaten)))
