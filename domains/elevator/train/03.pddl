; Floors: 3; passengers: 2.
(define (problem elevator-train-03)
  (:domain elevator)
  (:objects
    floor-0 floor-1 floor-2 - floor
    p1 p2 - passenger)
  (:init
    (lift-at floor-0)
    (above floor-1 floor-0)
    (above floor-2 floor-0) (above floor-2 floor-1)
    (waiting p1) (origin p1 floor-0) (destination p1 floor-1)
    (waiting p2) (origin p2 floor-0) (destination p2 floor-1))
  (:goal
    (and
      (served p1)
      (served p2))))
