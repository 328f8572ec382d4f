; One push after one step. (@ player, $ stone, . goal, * stone on a goal)
;   ######
;   #@ $.#
;   ######
(define (problem sokoban-train-01)
  (:domain sokoban)
  (:objects
    r1c1 r1c2 r1c3 r1c4 - cell
    stone-1 - stone)
  (:init
    (player-at r1c1)
    (stone-at stone-1 r1c3)
    (clear r1c2) (clear r1c4)
    (goal-cell r1c4)
    (plain-cell r1c1) (plain-cell r1c2) (plain-cell r1c3)
    (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r1c1 left) (neighbor r1c2 r1c3 right)
    (neighbor r1c3 r1c2 left) (neighbor r1c3 r1c4 right)
    (neighbor r1c4 r1c3 left))
  (:goal
    (stored stone-1)))
