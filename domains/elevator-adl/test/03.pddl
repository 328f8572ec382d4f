; Floors: 4; passengers: 3; express riders: 0; children: 0.
(define (problem elevator-adl-test-03)
  (:domain elevator-adl)
  (:objects
    floor-0 floor-1 floor-2 floor-3 - floor
    p1 p2 p3 - passenger)
  (:init
    (lift-at floor-0)
    (above floor-1 floor-0)
    (above floor-2 floor-0) (above floor-2 floor-1)
    (above floor-3 floor-0) (above floor-3 floor-1) (above floor-3 floor-2)
    (origin p1 floor-1) (destination p1 floor-0)
    (origin p2 floor-3) (destination p2 floor-1)
    (origin p3 floor-3) (destination p3 floor-1)
    (barred p1 floor-3) (barred p2 floor-0))
  (:goal
    (forall (?passenger - passenger)
      (served ?passenger))))
