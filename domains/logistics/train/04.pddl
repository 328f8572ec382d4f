; Cities: 2; places in each: 2; planes: 1; packages: 1.
(define (problem logistics-train-04)
  (:domain logistics)
  (:objects
    city-1 city-2 - city
    airport-1 airport-2 - airport
    office-1-1 office-2-1 - place
    truck-1 truck-2 - truck
    plane-1 - plane
    package-1 - package)
  (:init
    (in-city airport-1 city-1) (in-city office-1-1 city-1)
    (in-city airport-2 city-2) (in-city office-2-1 city-2)
    (at truck-1 office-1-1) (at truck-2 office-2-1)
    (at plane-1 airport-1)
    (at package-1 airport-1))
  (:goal
    (at package-1 office-2-1)))
