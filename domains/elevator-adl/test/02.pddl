; Floors: 3; passengers: 2; express riders: 0; children: 1.
(define (problem elevator-adl-test-02)
  (:domain elevator-adl)
  (:objects
    floor-0 floor-1 floor-2 - floor
    p1 p2 - passenger)
  (:init
    (lift-at floor-2)
    (above floor-1 floor-0)
    (above floor-2 floor-0) (above floor-2 floor-1)
    (origin p1 floor-0) (destination p1 floor-2)
    (origin p2 floor-1) (destination p2 floor-2)
    (child p1))
  (:goal
    (forall (?passenger - passenger)
      (served ?passenger))))
