; Cities: 2; places in each: 1; planes: 1; packages: 1.
(define (problem logistics-train-02)
  (:domain logistics)
  (:objects
    city-1 city-2 - city
    airport-1 airport-2 - airport
    truck-1 truck-2 - truck
    plane-1 - plane
    package-1 - package)
  (:init
    (in-city airport-1 city-1)
    (in-city airport-2 city-2)
    (at truck-1 airport-1) (at truck-2 airport-2)
    (at plane-1 airport-1)
    (at package-1 airport-2))
  (:goal
    (at package-1 airport-1)))
