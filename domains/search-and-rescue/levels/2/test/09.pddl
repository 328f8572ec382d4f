; Level 2, people: 1. (R robot, H hospital, p person, % rubble, # wall)
;   H#...
;   .p...
;   ###.R
;   ..#..
;   ....#
(define (problem search-and-rescue-2-test-09)
  (:domain search-and-rescue)
  (:objects
    r1c1 r1c3 r1c4 r1c5 r2c1 r2c2 r2c3 r2c4 r2c5 r3c4 r3c5 r4c1 r4c2 r4c4 r4c5 r5c1 r5c2 r5c3
    r5c4 - cell
    person-1 - person)
  (:init
    (robot-at r3c5)
    (hand-free)
    (hospital r1c1)
    (person-at person-1 r2c2)
    (open r1c1) (open r1c3) (open r1c4) (open r1c5)
    (open r2c1) (open r2c2) (open r2c3) (open r2c4) (open r2c5)
    (open r3c4) (open r3c5)
    (open r4c1) (open r4c2) (open r4c4) (open r4c5)
    (open r5c1) (open r5c2) (open r5c3) (open r5c4)
    (neighbor r1c1 r2c1 down)
    (neighbor r1c3 r2c3 down) (neighbor r1c3 r1c4 right)
    (neighbor r1c4 r2c4 down) (neighbor r1c4 r1c3 left) (neighbor r1c4 r1c5 right)
    (neighbor r1c5 r2c5 down) (neighbor r1c5 r1c4 left)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r2c2 right)
    (neighbor r2c2 r2c1 left) (neighbor r2c2 r2c3 right)
    (neighbor r2c3 r1c3 up) (neighbor r2c3 r2c2 left) (neighbor r2c3 r2c4 right)
    (neighbor r2c4 r1c4 up) (neighbor r2c4 r3c4 down) (neighbor r2c4 r2c3 left)
    (neighbor r2c4 r2c5 right)
    (neighbor r2c5 r1c5 up) (neighbor r2c5 r3c5 down) (neighbor r2c5 r2c4 left)
    (neighbor r3c4 r2c4 up) (neighbor r3c4 r4c4 down) (neighbor r3c4 r3c5 right)
    (neighbor r3c5 r2c5 up) (neighbor r3c5 r4c5 down) (neighbor r3c5 r3c4 left)
    (neighbor r4c1 r5c1 down) (neighbor r4c1 r4c2 right)
    (neighbor r4c2 r5c2 down) (neighbor r4c2 r4c1 left)
    (neighbor r4c4 r3c4 up) (neighbor r4c4 r5c4 down) (neighbor r4c4 r4c5 right)
    (neighbor r4c5 r3c5 up) (neighbor r4c5 r4c4 left)
    (neighbor r5c1 r4c1 up) (neighbor r5c1 r5c2 right)
    (neighbor r5c2 r4c2 up) (neighbor r5c2 r5c1 left) (neighbor r5c2 r5c3 right)
    (neighbor r5c3 r5c2 left) (neighbor r5c3 r5c4 right)
    (neighbor r5c4 r4c4 up) (neighbor r5c4 r5c3 left))
  (:goal
    (rescued person-1)))
