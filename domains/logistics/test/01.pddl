; Cities: 1; places in each: 3; planes: 0; packages: 1.
(define (problem logistics-test-01)
  (:domain logistics)
  (:objects
    city-1 - city
    airport-1 - airport
    office-1-1 office-1-2 - place
    truck-1 - truck
    package-1 - package)
  (:init
    (in-city airport-1 city-1) (in-city office-1-1 city-1) (in-city office-1-2 city-1)
    (at truck-1 airport-1)
    (at package-1 airport-1))
  (:goal
    (at package-1 office-1-2)))
