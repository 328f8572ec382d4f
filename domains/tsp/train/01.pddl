; Cities: 3; roads: 3.
(define (problem tsp-train-01)
  (:domain tsp)
  (:objects
    city-1 city-2 city-3 - city)
  (:init
    (home city-2) (in city-2) (visited city-2)
    (unvisited city-1) (unvisited city-3)
    (road city-1 city-2) (road city-2 city-1)
    (road city-1 city-3) (road city-3 city-1)
    (road city-2 city-3) (road city-3 city-2))
  (:goal
    (and
      (visited city-1)
      (visited city-3)
      (complete)
      (in city-2))))
