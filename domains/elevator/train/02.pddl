; Floors: 3; passengers: 1.
(define (problem elevator-train-02)
  (:domain elevator)
  (:objects
    floor-0 floor-1 floor-2 - floor
    p1 - passenger)
  (:init
    (lift-at floor-2)
    (above floor-1 floor-0)
    (above floor-2 floor-0) (above floor-2 floor-1)
    (waiting p1) (origin p1 floor-0) (destination p1 floor-2))
  (:goal
    (served p1)))
