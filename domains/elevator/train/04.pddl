; Floors: 4; passengers: 3.
(define (problem elevator-train-04)
  (:domain elevator)
  (:objects
    floor-0 floor-1 floor-2 floor-3 - floor
    p1 p2 p3 - passenger)
  (:init
    (lift-at floor-1)
    (above floor-1 floor-0)
    (above floor-2 floor-0) (above floor-2 floor-1)
    (above floor-3 floor-0) (above floor-3 floor-1) (above floor-3 floor-2)
    (waiting p1) (origin p1 floor-1) (destination p1 floor-3)
    (waiting p2) (origin p2 floor-0) (destination p2 floor-1)
    (waiting p3) (origin p3 floor-0) (destination p3 floor-2))
  (:goal
    (and
      (served p1)
      (served p2)
      (served p3))))
