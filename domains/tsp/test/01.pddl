; Cities: 4; roads: 4.
(define (problem tsp-test-01)
  (:domain tsp)
  (:objects
    city-1 city-2 city-3 city-4 - city)
  (:init
    (home city-1) (in city-1) (visited city-1)
    (unvisited city-2) (unvisited city-3) (unvisited city-4)
    (road city-1 city-3) (road city-3 city-1)
    (road city-1 city-4) (road city-4 city-1)
    (road city-2 city-3) (road city-3 city-2)
    (road city-2 city-4) (road city-4 city-2))
  (:goal
    (and
      (visited city-2)
      (visited city-3)
      (visited city-4)
      (complete)
      (in city-1))))
