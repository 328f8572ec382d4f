; Floors: 2; passengers: 1.
(define (problem elevator-train-01)
  (:domain elevator)
  (:objects
    floor-0 floor-1 - floor
    p1 - passenger)
  (:init
    (lift-at floor-1)
    (above floor-1 floor-0)
    (waiting p1) (origin p1 floor-0) (destination p1 floor-1))
  (:goal
    (served p1)))
