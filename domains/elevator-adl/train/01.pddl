; Floors: 2; passengers: 1; express riders: 0; children: 0.
(define (problem elevator-adl-train-01)
  (:domain elevator-adl)
  (:objects
    floor-0 floor-1 - floor
    p1 - passenger)
  (:init
    (lift-at floor-0)
    (above floor-1 floor-0)
    (origin p1 floor-1) (destination p1 floor-0))
  (:goal
    (forall (?passenger - passenger)
      (served ?passenger))))
