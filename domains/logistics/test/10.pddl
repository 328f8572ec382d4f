; Cities: 9; places in each: 3; planes: 3; packages: 22.
(define (problem logistics-test-10)
  (:domain logistics)
  (:objects
    city-1 city-2 city-3 city-4 city-5 city-6 city-7 city-8 city-9 - city
    airport-1 airport-2 airport-3 airport-4 airport-5 airport-6 airport-7 airport-8 airport-9
    - airport
    office-1-1 office-1-2 office-2-1 office-2-2 office-3-1 office-3-2 office-4-1 office-4-2
    office-5-1 office-5-2 office-6-1 office-6-2 office-7-1 office-7-2 office-8-1 office-8-2
    office-9-1 office-9-2 - place
    truck-1 truck-2 truck-3 truck-4 truck-5 truck-6 truck-7 truck-8 truck-9 - truck
    plane-1 plane-2 plane-3 - plane
    package-1 package-2 package-3 package-4 package-5 package-6 package-7 package-8 package-9
    package-10 package-11 package-12 package-13 package-14 package-15 package-16 package-17
    package-18 package-19 package-20 package-21 package-22 - package)
  (:init
    (in-city airport-1 city-1) (in-city office-1-1 city-1) (in-city office-1-2 city-1)
    (in-city airport-2 city-2) (in-city office-2-1 city-2) (in-city office-2-2 city-2)
    (in-city airport-3 city-3) (in-city office-3-1 city-3) (in-city office-3-2 city-3)
    (in-city airport-4 city-4) (in-city office-4-1 city-4) (in-city office-4-2 city-4)
    (in-city airport-5 city-5) (in-city office-5-1 city-5) (in-city office-5-2 city-5)
    (in-city airport-6 city-6) (in-city office-6-1 city-6) (in-city office-6-2 city-6)
    (in-city airport-7 city-7) (in-city office-7-1 city-7) (in-city office-7-2 city-7)
    (in-city airport-8 city-8) (in-city office-8-1 city-8) (in-city office-8-2 city-8)
    (in-city airport-9 city-9) (in-city office-9-1 city-9) (in-city office-9-2 city-9)
    (at truck-1 office-1-2) (at truck-2 office-2-1) (at truck-3 office-3-2)
    (at truck-4 office-4-1) (at truck-5 office-5-2) (at truck-6 office-6-2)
    (at truck-7 office-7-1) (at truck-8 office-8-2) (at truck-9 airport-9)
    (at plane-1 airport-5) (at plane-2 airport-7) (at plane-3 airport-8)
    (at package-14 office-1-1) (at package-19 airport-1)
    (at package-5 airport-2) (at package-7 office-2-1) (at package-15 office-2-2)
    (at package-3 office-3-2) (at package-12 office-3-1) (at package-17 office-3-1)
    (at package-2 airport-4) (at package-11 airport-4) (at package-13 office-4-2)
    (at package-20 airport-4)
    (at package-1 airport-5) (at package-10 office-5-2) (at package-16 office-5-2)
    (at package-4 office-6-2) (at package-18 airport-6)
    (at package-8 office-7-1) (at package-22 airport-7)
    (at package-6 office-8-2)
    (at package-9 office-9-1) (at package-21 airport-9))
  (:goal
    (and
      (at package-1 office-7-2)
      (at package-2 office-7-1)
      (at package-3 office-8-2)
      (at package-4 office-4-1)
      (at package-5 office-1-1)
      (at package-6 office-6-1)
      (at package-7 office-7-2)
      (at package-8 office-5-1)
      (at package-9 airport-6)
      (at package-10 airport-7)
      (at package-11 office-6-1)
      (at package-12 airport-1)
      (at package-13 office-5-2)
      (at package-14 office-6-2)
      (at package-15 airport-4)
      (at package-16 airport-5)
      (at package-17 airport-3)
      (at package-18 office-5-2)
      (at package-19 office-8-2)
      (at package-20 office-3-1)
      (at package-21 office-1-1)
      (at package-22 airport-1))))
