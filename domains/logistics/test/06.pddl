; Cities: 3; places in each: 3; planes: 2; packages: 5.
(define (problem logistics-test-06)
  (:domain logistics)
  (:objects
    city-1 city-2 city-3 - city
    airport-1 airport-2 airport-3 - airport
    office-1-1 office-1-2 office-2-1 office-2-2 office-3-1 office-3-2 - place
    truck-1 truck-2 truck-3 - truck
    plane-1 plane-2 - plane
    package-1 package-2 package-3 package-4 package-5 - package)
  (:init
    (in-city airport-1 city-1) (in-city office-1-1 city-1) (in-city office-1-2 city-1)
    (in-city airport-2 city-2) (in-city office-2-1 city-2) (in-city office-2-2 city-2)
    (in-city airport-3 city-3) (in-city office-3-1 city-3) (in-city office-3-2 city-3)
    (at truck-1 airport-1) (at truck-2 office-2-2) (at truck-3 office-3-2)
    (at plane-1 airport-1) (at plane-2 airport-1)
    (at package-5 office-1-2)
    (at package-2 airport-2) (at package-3 office-2-1) (at package-4 airport-2)
    (at package-1 office-3-1))
  (:goal
    (and
      (at package-1 office-2-1)
      (at package-2 office-3-2)
      (at package-3 airport-2)
      (at package-4 airport-1)
      (at package-5 office-2-1))))
