; Floors: 6; passengers: 6; express riders: 1; children: 1.
(define (problem elevator-adl-train-06)
  (:domain elevator-adl)
  (:objects
    floor-0 floor-1 floor-2 floor-3 floor-4 floor-5 - floor
    p1 p2 p3 p4 p5 p6 - passenger)
  (:init
    (lift-at floor-4)
    (above floor-1 floor-0)
    (above floor-2 floor-0) (above floor-2 floor-1)
    (above floor-3 floor-0) (above floor-3 floor-1) (above floor-3 floor-2)
    (above floor-4 floor-0) (above floor-4 floor-1) (above floor-4 floor-2)
    (above floor-4 floor-3)
    (above floor-5 floor-0) (above floor-5 floor-1) (above floor-5 floor-2)
    (above floor-5 floor-3) (above floor-5 floor-4)
    (origin p1 floor-3) (destination p1 floor-0)
    (origin p2 floor-0) (destination p2 floor-1)
    (origin p3 floor-2) (destination p3 floor-4)
    (origin p4 floor-2) (destination p4 floor-4)
    (origin p5 floor-1) (destination p5 floor-0)
    (origin p6 floor-2) (destination p6 floor-1)
    (express p3)
    (child p1)
    (barred p4 floor-5) (barred p6 floor-3))
  (:goal
    (forall (?passenger - passenger)
      (served ?passenger))))
