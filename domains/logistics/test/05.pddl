; Cities: 3; places in each: 2; planes: 1; packages: 3.
(define (problem logistics-test-05)
  (:domain logistics)
  (:objects
    city-1 city-2 city-3 - city
    airport-1 airport-2 airport-3 - airport
    office-1-1 office-2-1 office-3-1 - place
    truck-1 truck-2 truck-3 - truck
    plane-1 - plane
    package-1 package-2 package-3 - package)
  (:init
    (in-city airport-1 city-1) (in-city office-1-1 city-1)
    (in-city airport-2 city-2) (in-city office-2-1 city-2)
    (in-city airport-3 city-3) (in-city office-3-1 city-3)
    (at truck-1 office-1-1) (at truck-2 airport-2) (at truck-3 office-3-1)
    (at plane-1 airport-1)
    (at package-1 office-3-1) (at package-2 office-3-1) (at package-3 office-3-1))
  (:goal
    (and
      (at package-1 airport-1)
      (at package-2 office-1-1)
      (at package-3 office-2-1))))
