; Cities: 4; places in each: 2; planes: 1; packages: 8.
(define (problem logistics-test-07)
  (:domain logistics)
  (:objects
    city-1 city-2 city-3 city-4 - city
    airport-1 airport-2 airport-3 airport-4 - airport
    office-1-1 office-2-1 office-3-1 office-4-1 - place
    truck-1 truck-2 truck-3 truck-4 - truck
    plane-1 - plane
    package-1 package-2 package-3 package-4 package-5 package-6 package-7 package-8 - package)
  (:init
    (in-city airport-1 city-1) (in-city office-1-1 city-1)
    (in-city airport-2 city-2) (in-city office-2-1 city-2)
    (in-city airport-3 city-3) (in-city office-3-1 city-3)
    (in-city airport-4 city-4) (in-city office-4-1 city-4)
    (at truck-1 office-1-1) (at truck-2 airport-2) (at truck-3 airport-3)
    (at truck-4 office-4-1)
    (at plane-1 airport-3)
    (at package-1 airport-1) (at package-6 office-1-1) (at package-7 airport-1)
    (at package-8 office-1-1)
    (at package-5 office-2-1)
    (at package-2 office-3-1) (at package-3 office-3-1)
    (at package-4 airport-4))
  (:goal
    (and
      (at package-1 office-1-1)
      (at package-2 office-4-1)
      (at package-3 office-4-1)
      (at package-4 office-3-1)
      (at package-5 office-3-1)
      (at package-6 airport-3)
      (at package-7 airport-4)
      (at package-8 airport-1))))
