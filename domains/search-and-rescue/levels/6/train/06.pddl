; Level 6, people: 4. (R robot, H hospital, p person, % rubble, # wall)
;   .#%..#
;   ..p.#p
;   .%..Hp
;   ###H.#
;   .##%.%
;   ...R.p
(define (problem search-and-rescue-6-train-06)
  (:domain search-and-rescue)
  (:objects
    r1c1 r1c3 r1c4 r1c5 r2c1 r2c2 r2c3 r2c4 r2c6 r3c1 r3c2 r3c3 r3c4 r3c5 r3c6 r4c4 r4c5 r5c1
    r5c4 r5c5 r5c6 r6c1 r6c2 r6c3 r6c4 r6c5 r6c6 - cell
    person-1 person-2 person-3 person-4 - person)
  (:init
    (robot-at r6c4)
    (hand-free)
    (hospital r4c4) (hospital r3c5)
    (person-at person-1 r2c3) (person-at person-2 r2c6) (person-at person-3 r3c6)
    (person-at person-4 r6c6)
    (open r1c1) (open r1c4) (open r1c5)
    (open r2c1) (open r2c2) (open r2c3) (open r2c4) (open r2c6)
    (open r3c1) (open r3c3) (open r3c4) (open r3c5) (open r3c6)
    (open r4c4) (open r4c5)
    (open r5c1) (open r5c5)
    (open r6c1) (open r6c2) (open r6c3) (open r6c4) (open r6c5) (open r6c6)
    (rubble r1c3) (rubble r3c2) (rubble r5c4) (rubble r5c6)
    (neighbor r1c1 r2c1 down)
    (neighbor r1c3 r2c3 down) (neighbor r1c3 r1c4 right)
    (neighbor r1c4 r2c4 down) (neighbor r1c4 r1c3 left) (neighbor r1c4 r1c5 right)
    (neighbor r1c5 r1c4 left)
    (neighbor r2c1 r1c1 up) (neighbor r2c1 r3c1 down) (neighbor r2c1 r2c2 right)
    (neighbor r2c2 r3c2 down) (neighbor r2c2 r2c1 left) (neighbor r2c2 r2c3 right)
    (neighbor r2c3 r1c3 up) (neighbor r2c3 r3c3 down) (neighbor r2c3 r2c2 left)
    (neighbor r2c3 r2c4 right)
    (neighbor r2c4 r1c4 up) (neighbor r2c4 r3c4 down) (neighbor r2c4 r2c3 left)
    (neighbor r2c6 r3c6 down)
    (neighbor r3c1 r2c1 up) (neighbor r3c1 r3c2 right)
    (neighbor r3c2 r2c2 up) (neighbor r3c2 r3c1 left) (neighbor r3c2 r3c3 right)
    (neighbor r3c3 r2c3 up) (neighbor r3c3 r3c2 left) (neighbor r3c3 r3c4 right)
    (neighbor r3c4 r2c4 up) (neighbor r3c4 r4c4 down) (neighbor r3c4 r3c3 left)
    (neighbor r3c4 r3c5 right)
    (neighbor r3c5 r4c5 down) (neighbor r3c5 r3c4 left) (neighbor r3c5 r3c6 right)
    (neighbor r3c6 r2c6 up) (neighbor r3c6 r3c5 left)
    (neighbor r4c4 r3c4 up) (neighbor r4c4 r5c4 down) (neighbor r4c4 r4c5 right)
    (neighbor r4c5 r3c5 up) (neighbor r4c5 r5c5 down) (neighbor r4c5 r4c4 left)
    (neighbor r5c1 r6c1 down)
    (neighbor r5c4 r4c4 up) (neighbor r5c4 r6c4 down) (neighbor r5c4 r5c5 right)
    (neighbor r5c5 r4c5 up) (neighbor r5c5 r6c5 down) (neighbor r5c5 r5c4 left)
    (neighbor r5c5 r5c6 right)
    (neighbor r5c6 r6c6 down) (neighbor r5c6 r5c5 left)
    (neighbor r6c1 r5c1 up) (neighbor r6c1 r6c2 right)
    (neighbor r6c2 r6c1 left) (neighbor r6c2 r6c3 right)
    (neighbor r6c3 r6c2 left) (neighbor r6c3 r6c4 right)
    (neighbor r6c4 r5c4 up) (neighbor r6c4 r6c3 left) (neighbor r6c4 r6c5 right)
    (neighbor r6c5 r5c5 up) (neighbor r6c5 r6c4 left) (neighbor r6c5 r6c6 right)
    (neighbor r6c6 r5c6 up) (neighbor r6c6 r6c5 left))
  (:goal
    (and
      (rescued person-1)
      (rescued person-2)
      (rescued person-3)
      (rescued person-4)
      (robot-at r6c4))))
