; Cities: 1; places in each: 4; planes: 0; packages: 3.
(define (problem logistics-test-03)
  (:domain logistics)
  (:objects
    city-1 - city
    airport-1 - airport
    office-1-1 office-1-2 office-1-3 - place
    truck-1 - truck
    package-1 package-2 package-3 - package)
  (:init
    (in-city airport-1 city-1) (in-city office-1-1 city-1) (in-city office-1-2 city-1)
    (in-city office-1-3 city-1)
    (at truck-1 office-1-3)
    (at package-1 office-1-2) (at package-2 office-1-1) (at package-3 office-1-2))
  (:goal
    (and
      (at package-1 airport-1)
      (at package-2 office-1-2)
      (at package-3 airport-1))))
