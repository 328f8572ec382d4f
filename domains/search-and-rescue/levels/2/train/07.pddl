; Level 2, people: 1. (R robot, H hospital, p person, % rubble, # wall)
;   .H.#p
;   .##..
;   ..R.#
;   ....#
(define (problem search-and-rescue-2-train-07)
  (:domain search-and-rescue)
  (:objects
    r1c1 r1c2 r1c3 r1c5 r2c1 r2c4 r2c5 r3c1 r3c2 r3c3 r3c4 r4c1 r4c2 r4c3 r4c4 - cell
    person-1 - person)
  (:init
    (robot-at r3c3)
    (hand-free)
    (hospital r1c2)
    (person-at person-1 r1c5)
    (open r1c1) (open r1c2) (open r1c3) (open r1c5)
    (open r2c1) (open r2c4) (open r2c5)
    (open r3c1) (open r3c2) (open r3c3) (open r3c4)
    (open r4c1) (open r4c2) (open r4c3) (open r4c4)
    (neighbor r1c1 r2c1 down) (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r1c1 left) (neighbor r1c2 r1c3 right)
    (neighbor r1c3 r1c2 left)
    (neighbor r1c5 r2c5 down)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r3c1 down)
    (neighbor r2c4 r3c4 down) (neighbor r2c4 r2c5 right)
    (neighbor r2c5 r1c5 up) (neighbor r2c5 r2c4 left)
    (neighbor r3c1 r2c1 up) (neighbor r3c1 r4c1 down) (neighbor r3c1 r3c2 right)
    (neighbor r3c2 r4c2 down) (neighbor r3c2 r3c1 left) (neighbor r3c2 r3c3 right)
    (neighbor r3c3 r4c3 down) (neighbor r3c3 r3c2 left) (neighbor r3c3 r3c4 right)
    (neighbor r3c4 r2c4 up) (neighbor r3c4 r4c4 down) (neighbor r3c4 r3c3 left)
    (neighbor r4c1 r3c1 up) (neighbor r4c1 r4c2 right)
    (neighbor r4c2 r3c2 up) (neighbor r4c2 r4c1 left) (neighbor r4c2 r4c3 right)
    (neighbor r4c3 r3c3 up) (neighbor r4c3 r4c2 left) (neighbor r4c3 r4c4 right)
    (neighbor r4c4 r3c4 up) (neighbor r4c4 r4c3 left))
  (:goal
    (rescued person-1)))
