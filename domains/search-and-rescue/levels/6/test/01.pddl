; Level 6, people: 4. (R robot, H hospital, p person, % rubble, # wall)
;   .%.#%
;   .###H
;   p#...
;   pH.Rp
;   ...#.
(define (problem search-and-rescue-6-test-01)
  (:domain search-and-rescue)
  (:objects
    r1c1 r1c2 r1c3 r1c5 r2c1 r2c5 r3c1 r3c3 r3c4 r3c5 r4c1 r4c2 r4c3 r4c4 r4c5 r5c1 r5c2 r5c3
    r5c5 - cell
    person-1 person-2 person-3 person-4 - person)
  (:init
    (robot-at r4c4)
    (hand-free)
    (hospital r4c2) (hospital r2c5)
    (person-at person-1 r4c5) (person-at person-2 r4c1) (person-at person-3 r4c5)
    (person-at person-4 r3c1)
    (open r1c1) (open r1c3)
    (open r2c1) (open r2c5)
    (open r3c1) (open r3c3) (open r3c4) (open r3c5)
    (open r4c1) (open r4c2) (open r4c3) (open r4c4) (open r4c5)
    (open r5c1) (open r5c2) (open r5c3) (open r5c5)
    (rubble r1c2) (rubble r1c5)
    (neighbor r1c1 r2c1 down) (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r1c1 left) (neighbor r1c2 r1c3 right)
    (neighbor r1c3 r1c2 left)
    (neighbor r1c5 r2c5 down)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r3c1 down)
    (neighbor r2c5 r1c5 up) (neighbor r2c5 r3c5 down)
    (neighbor r3c1 r2c1 up) (neighbor r3c1 r4c1 down)
    (neighbor r3c3 r4c3 down) (neighbor r3c3 r3c4 right)
    (neighbor r3c4 r4c4 down) (neighbor r3c4 r3c3 left) (neighbor r3c4 r3c5 right)
    (neighbor r3c5 r2c5 up) (neighbor r3c5 r4c5 down) (neighbor r3c5 r3c4 left)
    (neighbor r4c1 r3c1 up) (neighbor r4c1 r5c1 down) (neighbor r4c1 r4c2 right)
    (neighbor r4c2 r5c2 down) (neighbor r4c2 r4c1 left) (neighbor r4c2 r4c3 right)
    (neighbor r4c3 r3c3 up) (neighbor r4c3 r5c3 down) (neighbor r4c3 r4c2 left)
    (neighbor r4c3 r4c4 right)
    (neighbor r4c4 r3c4 up) (neighbor r4c4 r4c3 left) (neighbor r4c4 r4c5 right)
    (neighbor r4c5 r3c5 up) (neighbor r4c5 r5c5 down) (neighbor r4c5 r4c4 left)
    (neighbor r5c1 r4c1 up) (neighbor r5c1 r5c2 right)
    (neighbor r5c2 r4c2 up) (neighbor r5c2 r5c1 left) (neighbor r5c2 r5c3 right)
    (neighbor r5c3 r4c3 up) (neighbor r5c3 r5c2 left)
    (neighbor r5c5 r4c5 up))
  (:goal
    (and
      (rescued person-1)
      (rescued person-2)
      (rescued person-3)
      (rescued person-4)
      (robot-at r4c4))))
