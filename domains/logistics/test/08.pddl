; Cities: 5; places in each: 3; planes: 2; packages: 10.
(define (problem logistics-test-08)
  (:domain logistics)
  (:objects
    city-1 city-2 city-3 city-4 city-5 - city
    airport-1 airport-2 airport-3 airport-4 airport-5 - airport
    office-1-1 office-1-2 office-2-1 office-2-2 office-3-1 office-3-2 office-4-1 office-4-2
    office-5-1 office-5-2 - place
    truck-1 truck-2 truck-3 truck-4 truck-5 - truck
    plane-1 plane-2 - plane
    package-1 package-2 package-3 package-4 package-5 package-6 package-7 package-8 package-9
    package-10 - package)
  (:init
    (in-city airport-1 city-1) (in-city office-1-1 city-1) (in-city office-1-2 city-1)
    (in-city airport-2 city-2) (in-city office-2-1 city-2) (in-city office-2-2 city-2)
    (in-city airport-3 city-3) (in-city office-3-1 city-3) (in-city office-3-2 city-3)
    (in-city airport-4 city-4) (in-city office-4-1 city-4) (in-city office-4-2 city-4)
    (in-city airport-5 city-5) (in-city office-5-1 city-5) (in-city office-5-2 city-5)
    (at truck-1 office-1-1) (at truck-2 office-2-1) (at truck-3 office-3-1)
    (at truck-4 office-4-2) (at truck-5 office-5-1)
    (at plane-1 airport-3) (at plane-2 airport-2)
    (at package-2 office-1-2) (at package-10 airport-1)
    (at package-6 office-2-2)
    (at package-1 office-3-2) (at package-7 office-3-2) (at package-9 office-3-1)
    (at package-3 airport-4) (at package-5 office-4-2) (at package-8 office-4-1)
    (at package-4 office-5-2))
  (:goal
    (and
      (at package-1 office-2-1)
      (at package-2 airport-1)
      (at package-3 office-3-2)
      (at package-4 office-2-1)
      (at package-5 office-3-2)
      (at package-6 office-1-2)
      (at package-7 office-5-2)
      (at package-8 office-2-2)
      (at package-9 office-1-1)
      (at package-10 office-5-2))))
