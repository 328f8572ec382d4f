; Cities: 6; places in each: 3; planes: 2; packages: 15.
(define (problem logistics-test-09)
  (:domain logistics)
  (:objects
    city-1 city-2 city-3 city-4 city-5 city-6 - city
    airport-1 airport-2 airport-3 airport-4 airport-5 airport-6 - airport
    office-1-1 office-1-2 office-2-1 office-2-2 office-3-1 office-3-2 office-4-1 office-4-2
    office-5-1 office-5-2 office-6-1 office-6-2 - place
    truck-1 truck-2 truck-3 truck-4 truck-5 truck-6 - truck
    plane-1 plane-2 - plane
    package-1 package-2 package-3 package-4 package-5 package-6 package-7 package-8 package-9
    package-10 package-11 package-12 package-13 package-14 package-15 - package)
  (:init
    (in-city airport-1 city-1) (in-city office-1-1 city-1) (in-city office-1-2 city-1)
    (in-city airport-2 city-2) (in-city office-2-1 city-2) (in-city office-2-2 city-2)
    (in-city airport-3 city-3) (in-city office-3-1 city-3) (in-city office-3-2 city-3)
    (in-city airport-4 city-4) (in-city office-4-1 city-4) (in-city office-4-2 city-4)
    (in-city airport-5 city-5) (in-city office-5-1 city-5) (in-city office-5-2 city-5)
    (in-city airport-6 city-6) (in-city office-6-1 city-6) (in-city office-6-2 city-6)
    (at truck-1 airport-1) (at truck-2 airport-2) (at truck-3 airport-3) (at truck-4 airport-4)
    (at truck-5 airport-5) (at truck-6 office-6-2)
    (at plane-1 airport-3) (at plane-2 airport-6)
    (at package-5 office-1-2) (at package-6 airport-1) (at package-10 airport-1)
    (at package-11 office-1-2) (at package-14 office-1-1)
    (at package-1 airport-2) (at package-2 airport-2) (at package-8 office-2-1)
    (at package-13 office-2-2)
    (at package-9 airport-3)
    (at package-4 office-4-2) (at package-7 office-4-2) (at package-15 airport-4)
    (at package-12 airport-5)
    (at package-3 airport-6))
  (:goal
    (and
      (at package-1 office-4-2)
      (at package-2 airport-3)
      (at package-3 office-1-1)
      (at package-4 office-1-2)
      (at package-5 airport-4)
      (at package-6 office-2-2)
      (at package-7 office-6-1)
      (at package-8 office-4-2)
      (at package-9 office-4-2)
      (at package-10 office-2-2)
      (at package-11 office-3-1)
      (at package-12 office-2-2)
      (at package-13 office-6-2)
      (at package-14 airport-1)
      (at package-15 office-1-1))))
