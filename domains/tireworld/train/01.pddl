; A triangle of side 2: start and goal are the lower corners,
; and every place on the way over the top has a spare.
(define (problem tireworld-train-01)
  (:domain tireworld)
  (:objects
    l-0-0 l-0-1 l-0-2 l-1-0 l-1-1 l-2-0 - location)
  (:init
    (vehicle-at l-0-0)
    (spare-in l-1-0) (spare-in l-1-1)
    (spare-in l-2-0)
    (road l-0-0 l-0-1) (road l-0-0 l-1-0)
    (road l-0-1 l-0-2) (road l-0-1 l-1-1)
    (road l-1-0 l-1-1) (road l-1-0 l-2-0) (road l-1-0 l-0-1)
    (road l-1-1 l-0-2)
    (road l-2-0 l-1-1))
  (:goal
    (vehicle-at l-0-2)))
