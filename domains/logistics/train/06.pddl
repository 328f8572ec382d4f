; Cities: 3; places in each: 2; planes: 1; packages: 4.
(define (problem logistics-train-06)
  (:domain logistics)
  (:objects
    city-1 city-2 city-3 - city
    airport-1 airport-2 airport-3 - airport
    office-1-1 office-2-1 office-3-1 - place
    truck-1 truck-2 truck-3 - truck
    plane-1 - plane
    package-1 package-2 package-3 package-4 - package)
  (:init
    (in-city airport-1 city-1) (in-city office-1-1 city-1)
    (in-city airport-2 city-2) (in-city office-2-1 city-2)
    (in-city airport-3 city-3) (in-city office-3-1 city-3)
    (at truck-1 airport-1) (at truck-2 office-2-1) (at truck-3 airport-3)
    (at plane-1 airport-2)
    (at package-3 airport-2)
    (at package-1 airport-3) (at package-2 office-3-1) (at package-4 airport-3))
  (:goal
    (and
      (at package-1 office-1-1)
      (at package-2 airport-3)
      (at package-3 airport-3)
      (at package-4 airport-2))))
