; Level 2, people: 1. (R robot, H hospital, p person, % rubble, # wall)
;   .R#
;   .#H
;   p..
(define (problem search-and-rescue-2-test-01)
  (:domain search-and-rescue)
  (:objects
    r1c1 r1c2 r2c1 r2c3 r3c1 r3c2 r3c3 - cell
    person-1 - person)
  (:init
    (robot-at r1c2)
    (hand-free)
    (hospital r2c3)
    (person-at person-1 r3c1)
    (open r1c1) (open r1c2)
    (open r2c1) (open r2c3)
    (open r3c1) (open r3c2) (open r3c3)
    (neighbor r1c1 r2c1 down) (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r1c1 left)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r3c1 down)
    (neighbor r2c3 r3c3 down)
    (neighbor r3c1 r2c1 up) (neighbor r3c1 r3c2 right)
    (neighbor r3c2 r3c1 left) (neighbor r3c2 r3c3 right)
    (neighbor r3c3 r2c3 up) (neighbor r3c3 r3c2 left))
  (:goal
    (rescued person-1)))
