; Apples: 4. (O head, o tail, a first apple, # stone)
;   a....
;   ..#..
;   oO.#.
;   .....
;   ...#.
(define (problem snake-train-07)
  (:domain snake)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r1c5 r2c1 r2c2 r2c4 r2c5 r3c1 r3c2 r3c3 r3c5 r4c1 r4c2 r4c3 r4c4 r4c5
    r5c1 r5c2 r5c3 r5c5 - cell)
  (:init
    (head-at r3c2) (tail-at r3c1) (ahead r3c2 r3c1)
    (apple-at r1c1) (next-apple r1c1 r1c3) (next-apple r1c3 r3c3) (next-apple r3c3 r5c2)
    (last-apple r5c2)
    (clear r1c1) (clear r1c2) (clear r1c3) (clear r1c4) (clear r1c5)
    (clear r2c1) (clear r2c2) (clear r2c4) (clear r2c5)
    (clear r3c3) (clear r3c5)
    (clear r4c1) (clear r4c2) (clear r4c3) (clear r4c4) (clear r4c5)
    (clear r5c1) (clear r5c2) (clear r5c3) (clear r5c5)
    (neighbor r1c1 r2c1 down) (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r2c2 down) (neighbor r1c2 r1c1 left) (neighbor r1c2 r1c3 right)
    (neighbor r1c3 r1c2 left) (neighbor r1c3 r1c4 right)
    (neighbor r1c4 r2c4 down) (neighbor r1c4 r1c3 left) (neighbor r1c4 r1c5 right)
    (neighbor r1c5 r2c5 down) (neighbor r1c5 r1c4 left)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r3c1 down) (neighbor r2c1 r2c2 right)
    (neighbor r2c2 r1c2 up) (neighbor r2c2 r3c2 down) (neighbor r2c2 r2c1 left)
    (neighbor r2c4 r1c4 up) (neighbor r2c4 r2c5 right)
    (neighbor r2c5 r1c5 up) (neighbor r2c5 r3c5 down) (neighbor r2c5 r2c4 left)
    (neighbor r3c1 r2c1 up) (neighbor r3c1 r4c1 down) (neighbor r3c1 r3c2 right)
    (neighbor r3c2 r2c2 up) (neighbor r3c2 r4c2 down) (neighbor r3c2 r3c1 left)
    (neighbor r3c2 r3c3 right)
    (neighbor r3c3 r4c3 down) (neighbor r3c3 r3c2 left)
    (neighbor r3c5 r2c5 up) (neighbor r3c5 r4c5 down)
    (neighbor r4c1 r3c1 up) (neighbor r4c1 r5c1 down) (neighbor r4c1 r4c2 right)
    (neighbor r4c2 r3c2 up) (neighbor r4c2 r5c2 down) (neighbor r4c2 r4c1 left)
    (neighbor r4c2 r4c3 right)
    (neighbor r4c3 r3c3 up) (neighbor r4c3 r5c3 down) (neighbor r4c3 r4c2 left)
    (neighbor r4c3 r4c4 right)
    (neighbor r4c4 r4c3 left) (neighbor r4c4 r4c5 right)
    (neighbor r4c5 r3c5 up) (neighbor r4c5 r5c5 down) (neighbor r4c5 r4c4 left)
    (neighbor r5c1 r4c1 up) (neighbor r5c1 r5c2 right)
    (neighbor r5c2 r4c2 up) (neighbor r5c2 r5c1 left) (neighbor r5c2 r5c3 right)
    (neighbor r5c3 r4c3 up) (neighbor r5c3 r5c2 left)
    (neighbor r5c5 r4c5 up))
  (:goal
    (all-eaten)))
