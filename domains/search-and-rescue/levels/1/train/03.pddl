; Level 1, people: 1. (R robot, H hospital, p person, % rubble, # wall)
;   Rp
;   H.
(define (problem search-and-rescue-1-train-03)
  (:domain search-and-rescue)
  (:objects
    r1c1 r1c2 r2c1 r2c2 - cell
    person-1 - person)
  (:init
    (robot-at r1c1)
    (hand-free)
    (hospital r2c1)
    (person-at person-1 r1c2)
    (open r1c1) (open r1c2)
    (open r2c1) (open r2c2)
    (neighbor r1c1 r2c1 down) (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r2c2 down) (neighbor r1c2 r1c1 left)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r2c2 right)
    (neighbor r2c2 r1c2 up) (neighbor r2c2 r2c1 left))
  (:goal
    (rescued person-1)))
