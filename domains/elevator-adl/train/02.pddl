; Floors: 3; passengers: 2; express riders: 0; children: 0.
(define (problem elevator-adl-train-02)
  (:domain elevator-adl)
  (:objects
    floor-0 floor-1 floor-2 - floor
    p1 p2 - passenger)
  (:init
    (lift-at floor-2)
    (above floor-1 floor-0)
    (above floor-2 floor-0) (above floor-2 floor-1)
    (origin p1 floor-1) (destination p1 floor-0)
    (origin p2 floor-2) (destination p2 floor-1))
  (:goal
    (forall (?passenger - passenger)
      (served ?passenger))))
