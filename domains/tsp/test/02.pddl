; Cities: 4; roads: 6.
(define (problem tsp-test-02)
  (:domain tsp)
  (:objects
    city-1 city-2 city-3 city-4 - city)
  (:init
    (home city-4) (in city-4) (visited city-4)
    (unvisited city-1) (unvisited city-2) (unvisited city-3)
    (road city-1 city-2) (road city-2 city-1)
    (road city-1 city-3) (road city-3 city-1)
    (road city-1 city-4) (road city-4 city-1)
    (road city-2 city-3) (road city-3 city-2)
    (road city-2 city-4) (road city-4 city-2)
    (road city-3 city-4) (road city-4 city-3))
  (:goal
    (and
      (visited city-1)
      (visited city-2)
      (visited city-3)
      (complete)
      (in city-4))))
