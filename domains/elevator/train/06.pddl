; Floors: 8; passengers: 6.
(define (problem elevator-train-06)
  (:domain elevator)
  (:objects
    floor-0 floor-1 floor-2 floor-3 floor-4 floor-5 floor-6 floor-7 - floor
    p1 p2 p3 p4 p5 p6 - passenger)
  (:init
    (lift-at floor-1)
    (above floor-1 floor-0)
    (above floor-2 floor-0) (above floor-2 floor-1)
    (above floor-3 floor-0) (above floor-3 floor-1) (above floor-3 floor-2)
    (above floor-4 floor-0) (above floor-4 floor-1) (above floor-4 floor-2)
    (above floor-4 floor-3)
    (above floor-5 floor-0) (above floor-5 floor-1) (above floor-5 floor-2)
    (above floor-5 floor-3) (above floor-5 floor-4)
    (above floor-6 floor-0) (above floor-6 floor-1) (above floor-6 floor-2)
    (above floor-6 floor-3) (above floor-6 floor-4) (above floor-6 floor-5)
    (above floor-7 floor-0) (above floor-7 floor-1) (above floor-7 floor-2)
    (above floor-7 floor-3) (above floor-7 floor-4) (above floor-7 floor-5)
    (above floor-7 floor-6)
    (waiting p1) (origin p1 floor-1) (destination p1 floor-4)
    (waiting p2) (origin p2 floor-2) (destination p2 floor-1)
    (waiting p3) (origin p3 floor-1) (destination p3 floor-4)
    (waiting p4) (origin p4 floor-5) (destination p4 floor-1)
    (waiting p5) (origin p5 floor-3) (destination p5 floor-0)
    (waiting p6) (origin p6 floor-4) (destination p6 floor-0))
  (:goal
    (and
      (served p1)
      (served p2)
      (served p3)
      (served p4)
      (served p5)
      (served p6))))
