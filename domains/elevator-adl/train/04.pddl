; Floors: 5; passengers: 4; express riders: 0; children: 1.
(define (problem elevator-adl-train-04)
  (:domain elevator-adl)
  (:objects
    floor-0 floor-1 floor-2 floor-3 floor-4 - floor
    p1 p2 p3 p4 - passenger)
  (:init
    (lift-at floor-1)
    (above floor-1 floor-0)
    (above floor-2 floor-0) (above floor-2 floor-1)
    (above floor-3 floor-0) (above floor-3 floor-1) (above floor-3 floor-2)
    (above floor-4 floor-0) (above floor-4 floor-1) (above floor-4 floor-2)
    (above floor-4 floor-3)
    (origin p1 floor-4) (destination p1 floor-0)
    (origin p2 floor-2) (destination p2 floor-3)
    (origin p3 floor-0) (destination p3 floor-3)
    (origin p4 floor-3) (destination p4 floor-0)
    (child p2))
  (:goal
    (forall (?passenger - passenger)
      (served ?passenger))))
