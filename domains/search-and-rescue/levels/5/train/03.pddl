; Level 5, people: 3. (R robot, H hospital, p person, % rubble, # wall)
;   .H%#
;   ..pR
;   .H..
;   #pp#
(define (problem search-and-rescue-5-train-03)
  (:domain search-and-rescue)
  (:objects
    r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 r2c4 r3c1 r3c2 r3c3 r3c4 r4c2 r4c3 - cell
    person-1 person-2 person-3 - person)
  (:init
    (robot-at r2c4)
    (hand-free)
    (hospital r3c2) (hospital r1c2)
    (person-at person-1 r4c2) (person-at person-2 r4c3) (person-at person-3 r2c3)
    (open r1c1) (open r1c2)
    (open r2c1) (open r2c2) (open r2c3) (open r2c4)
    (open r3c1) (open r3c2) (open r3c3) (open r3c4)
    (open r4c2) (open r4c3)
    (rubble r1c3)
    (neighbor r1c1 r2c1 down) (neighbor r1c1 r1c2 right)
    (neighbor r1c2 r2c2 down) (neighbor r1c2 r1c1 left) (neighbor r1c2 r1c3 right)
    (neighbor r1c3 r2c3 down) (neighbor r1c3 r1c2 left)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r3c1 down) (neighbor r2c1 r2c2 right)
    (neighbor r2c2 r1c2 up) (neighbor r2c2 r3c2 down) (neighbor r2c2 r2c1 left)
    (neighbor r2c2 r2c3 right)
    (neighbor r2c3 r1c3 up) (neighbor r2c3 r3c3 down) (neighbor r2c3 r2c2 left)
    (neighbor r2c3 r2c4 right)
    (neighbor r2c4 r3c4 down) (neighbor r2c4 r2c3 left)
    (neighbor r3c1 r2c1 up) (neighbor r3c1 r3c2 right)
    (neighbor r3c2 r2c2 up) (neighbor r3c2 r4c2 down) (neighbor r3c2 r3c1 left)
    (neighbor r3c2 r3c3 right)
    (neighbor r3c3 r2c3 up) (neighbor r3c3 r4c3 down) (neighbor r3c3 r3c2 left)
    (neighbor r3c3 r3c4 right)
    (neighbor r3c4 r2c4 up) (neighbor r3c4 r3c3 left)
    (neighbor r4c2 r3c2 up) (neighbor r4c2 r4c3 right)
    (neighbor r4c3 r3c3 up) (neighbor r4c3 r4c2 left))
  (:goal
    (and
      (rescued person-1)
      (rescued person-2)
      (rescued person-3))))
