; Level 5, people: 3. (R robot, H hospital, p person, % rubble, # wall)
;   H..p#
;   ##Rp.
;   .....
;   p%H..
;   .%##.
(define (problem search-and-rescue-5-train-06)
  (:domain search-and-rescue)
  (:objects
    r1c1 r1c2 r1c3 r1c4 r2c3 r2c4 r2c5 r3c1 r3c2 r3c3 r3c4 r3c5 r4c1 r4c2 r4c3 r4c4 r4c5 r5c1
    r5c2 r5c5 - cell
    person-1 person-2 person-3 - person)
  (:init
    (robot-at r2c3)
    (hand-free)
    (hospital r1c1) (hospital r4c3)
    (person-at person-1 r1c4) (person-at person-2 r2c4) (person-at person-3 r4c1)
    (open r1c1) (open r1c2) (open r1c3) (open r1c4)
    (open r2c3) (open r2c4) (open r2c5)
    (open r3c1) (open r3c2) (open r3c3) (open r3c4) (open r3c5)
    (open r4c1) (open r4c3) (open r4c4) (open r4c5)
    (open r5c1) (open r5c5)
    (rubble r4c2) (rubble r5c2)
    (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r1c1 left) (neighbor r1c2 r1c3 right)
    (neighbor r1c3 r2c3 down) (neighbor r1c3 r1c2 left) (neighbor r1c3 r1c4 right)
    (neighbor r1c4 r2c4 down) (neighbor r1c4 r1c3 left)
    (neighbor r2c3 r1c3 up) (neighbor r2c3 r3c3 down) (neighbor r2c3 r2c4 right)
    (neighbor r2c4 r1c4 up) (neighbor r2c4 r3c4 down) (neighbor r2c4 r2c3 left)
    (neighbor r2c4 r2c5 right)
    (neighbor r2c5 r3c5 down) (neighbor r2c5 r2c4 left)
    (neighbor r3c1 r4c1 down) (neighbor r3c1 r3c2 right)
    (neighbor r3c2 r4c2 down) (neighbor r3c2 r3c1 left) (neighbor r3c2 r3c3 right)
    (neighbor r3c3 r2c3 up) (neighbor r3c3 r4c3 down) (neighbor r3c3 r3c2 left)
    (neighbor r3c3 r3c4 right)
    (neighbor r3c4 r2c4 up) (neighbor r3c4 r4c4 down) (neighbor r3c4 r3c3 left)
    (neighbor r3c4 r3c5 right)
    (neighbor r3c5 r2c5 up) (neighbor r3c5 r4c5 down) (neighbor r3c5 r3c4 left)
    (neighbor r4c1 r3c1 up) (neighbor r4c1 r5c1 down) (neighbor r4c1 r4c2 right)
    (neighbor r4c2 r3c2 up) (neighbor r4c2 r5c2 down) (neighbor r4c2 r4c1 left)
    (neighbor r4c2 r4c3 right)
    (neighbor r4c3 r3c3 up) (neighbor r4c3 r4c2 left) (neighbor r4c3 r4c4 right)
    (neighbor r4c4 r3c4 up) (neighbor r4c4 r4c3 left) (neighbor r4c4 r4c5 right)
    (neighbor r4c5 r3c5 up) (neighbor r4c5 r5c5 down) (neighbor r4c5 r4c4 left)
    (neighbor r5c1 r4c1 up) (neighbor r5c1 r5c2 right)
    (neighbor r5c2 r4c2 up) (neighbor r5c2 r5c1 left)
    (neighbor r5c5 r4c5 up))
  (:goal
    (and
      (rescued person-1)
      (rescued person-2)
      (rescued person-3))))
