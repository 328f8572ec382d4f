; Level 4, people: 2. (R robot, H hospital, p person, % rubble, # wall)
;   .##..p
;   H.%#..
;   R....#
;   ...#.%
;   ....p#
(define (problem search-and-rescue-4-test-10)
  (:domain search-and-rescue)
  (:objects
    r1c1 r1c4 r1c5 r1c6 r2c1 r2c2 r2c3 r2c5 r2c6 r3c1 r3c2 r3c3 r3c4 r3c5 r4c1 r4c2 r4c3 r4c5
    r4c6 r5c1 r5c2 r5c3 r5c4 r5c5 - cell
    person-1 person-2 - person)
  (:init
    (robot-at r3c1)
    (hand-free)
    (hospital r2c1)
    (person-at person-1 r5c5) (person-at person-2 r1c6)
    (open r1c1) (open r1c4) (open r1c5) (open r1c6)
    (open r2c1) (open r2c2) (open r2c5) (open r2c6)
    (open r3c1) (open r3c2) (open r3c3) (open r3c4) (open r3c5)
    (open r4c1) (open r4c2) (open r4c3) (open r4c5)
    (open r5c1) (open r5c2) (open r5c3) (open r5c4) (open r5c5)
    (rubble r2c3) (rubble r4c6)
    (neighbor r1c1 r2c1 down)
    (neighbor r1c4 r1c5 right)
    (neighbor r1c5 r2c5 down) (neighbor r1c5 r1c4 left) (neighbor r1c5 r1c6 right)
    (neighbor r1c6 r2c6 down) (neighbor r1c6 r1c5 left)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r3c1 down) (neighbor r2c1 r2c2 right)
    (neighbor r2c2 r3c2 down) (neighbor r2c2 r2c1 left) (neighbor r2c2 r2c3 right)
    (neighbor r2c3 r3c3 down) (neighbor r2c3 r2c2 left)
    (neighbor r2c5 r1c5 up) (neighbor r2c5 r3c5 down) (neighbor r2c5 r2c6 right)
    (neighbor r2c6 r1c6 up) (neighbor r2c6 r2c5 left)
    (neighbor r3c1 r2c1 up) (neighbor r3c1 r4c1 down) (neighbor r3c1 r3c2 right)
    (neighbor r3c2 r2c2 up) (neighbor r3c2 r4c2 down) (neighbor r3c2 r3c1 left)
    (neighbor r3c2 r3c3 right)
    (neighbor r3c3 r2c3 up) (neighbor r3c3 r4c3 down) (neighbor r3c3 r3c2 left)
    (neighbor r3c3 r3c4 right)
    (neighbor r3c4 r3c3 left) (neighbor r3c4 r3c5 right)
    (neighbor r3c5 r2c5 up) (neighbor r3c5 r4c5 down) (neighbor r3c5 r3c4 left)
    (neighbor r4c1 r3c1 up) (neighbor r4c1 r5c1 down) (neighbor r4c1 r4c2 right)
    (neighbor r4c2 r3c2 up) (neighbor r4c2 r5c2 down) (neighbor r4c2 r4c1 left)
    (neighbor r4c2 r4c3 right)
    (neighbor r4c3 r3c3 up) (neighbor r4c3 r5c3 down) (neighbor r4c3 r4c2 left)
    (neighbor r4c5 r3c5 up) (neighbor r4c5 r5c5 down) (neighbor r4c5 r4c6 right)
    (neighbor r4c6 r4c5 left)
    (neighbor r5c1 r4c1 up) (neighbor r5c1 r5c2 right)
    (neighbor r5c2 r4c2 up) (neighbor r5c2 r5c1 left) (neighbor r5c2 r5c3 right)
    (neighbor r5c3 r4c3 up) (neighbor r5c3 r5c2 left) (neighbor r5c3 r5c4 right)
    (neighbor r5c4 r5c3 left) (neighbor r5c4 r5c5 right)
    (neighbor r5c5 r4c5 up) (neighbor r5c5 r5c4 left))
  (:goal
    (and
      (rescued person-1)
      (rescued person-2))))
