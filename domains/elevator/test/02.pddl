; Floors: 4; passengers: 1.
(define (problem elevator-test-02)
  (:domain elevator)
  (:objects
    floor-0 floor-1 floor-2 floor-3 - floor
    p1 - passenger)
  (:init
    (lift-at floor-2)
    (above floor-1 floor-0)
    (above floor-2 floor-0) (above floor-2 floor-1)
    (above floor-3 floor-0) (above floor-3 floor-1) (above floor-3 floor-2)
    (waiting p1) (origin p1 floor-2) (destination p1 floor-0))
  (:goal
    (served p1)))
