; The pillar. (@ player, $ stone, . goal, * stone on a goal)
;   #######
;   #  .  #
;   # $#  #
;   #  @$ #
;   #.    #
;   #######
(define (problem sokoban-train-06)
  (:domain sokoban)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r1c5 r2c1 r2c2 r2c4 r2c5 r3c1 r3c2 r3c3 r3c4 r3c5 r4c1 r4c2 r4c3 r4c4
    r4c5 - cell
    stone-1 stone-2 - stone)
  (:init
    (player-at r3c3)
    (stone-at stone-1 r2c2)
    (stone-at stone-2 r3c4)
    (clear r1c1) (clear r1c2) (clear r1c3) (clear r1c4) (clear r1c5)
    (clear r2c1) (clear r2c4) (clear r2c5)
    (clear r3c1) (clear r3c2) (clear r3c5)
    (clear r4c1) (clear r4c2) (clear r4c3) (clear r4c4) (clear r4c5)
    (goal-cell r1c3)
    (goal-cell r4c1)
    (plain-cell r1c1) (plain-cell r1c2) (plain-cell r1c4) (plain-cell r1c5)
    (plain-cell r2c1) (plain-cell r2c2) (plain-cell r2c4) (plain-cell r2c5)
    (plain-cell r3c1) (plain-cell r3c2) (plain-cell r3c3) (plain-cell r3c4) (plain-cell r3c5)
    (plain-cell r4c2) (plain-cell r4c3) (plain-cell r4c4) (plain-cell r4c5)
    (neighbor r1c1 r2c1 down) (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r2c2 down) (neighbor r1c2 r1c1 left) (neighbor r1c2 r1c3 right)
    (neighbor r1c3 r1c2 left) (neighbor r1c3 r1c4 right)
    (neighbor r1c4 r2c4 down) (neighbor r1c4 r1c3 left) (neighbor r1c4 r1c5 right)
    (neighbor r1c5 r2c5 down) (neighbor r1c5 r1c4 left)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r3c1 down) (neighbor r2c1 r2c2 right)
    (neighbor r2c2 r1c2 up) (neighbor r2c2 r3c2 down) (neighbor r2c2 r2c1 left)
    (neighbor r2c4 r1c4 up) (neighbor r2c4 r3c4 down) (neighbor r2c4 r2c5 right)
    (neighbor r2c5 r1c5 up) (neighbor r2c5 r3c5 down) (neighbor r2c5 r2c4 left)
    (neighbor r3c1 r2c1 up) (neighbor r3c1 r4c1 down) (neighbor r3c1 r3c2 right)
    (neighbor r3c2 r2c2 up) (neighbor r3c2 r4c2 down) (neighbor r3c2 r3c1 left)
    (neighbor r3c2 r3c3 right)
    (neighbor r3c3 r4c3 down) (neighbor r3c3 r3c2 left) (neighbor r3c3 r3c4 right)
    (neighbor r3c4 r2c4 up) (neighbor r3c4 r4c4 down) (neighbor r3c4 r3c3 left)
    (neighbor r3c4 r3c5 right)
    (neighbor r3c5 r2c5 up) (neighbor r3c5 r4c5 down) (neighbor r3c5 r3c4 left)
    (neighbor r4c1 r3c1 up) (neighbor r4c1 r4c2 right)
    (neighbor r4c2 r3c2 up) (neighbor r4c2 r4c1 left) (neighbor r4c2 r4c3 right)
    (neighbor r4c3 r3c3 up) (neighbor r4c3 r4c2 left) (neighbor r4c3 r4c4 right)
    (neighbor r4c4 r3c4 up) (neighbor r4c4 r4c3 left) (neighbor r4c4 r4c5 right)
    (neighbor r4c5 r3c5 up) (neighbor r4c5 r4c4 left))
  (:goal
    (and
      (stored stone-1)
      (stored stone-2))))
