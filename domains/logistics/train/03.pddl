; Cities: 1; places in each: 3; planes: 0; packages: 2.
(define (problem logistics-train-03)
  (:domain logistics)
  (:objects
    city-1 - city
    airport-1 - airport
    office-1-1 office-1-2 - place
    truck-1 - truck
    package-1 package-2 - package)
  (:init
    (in-city airport-1 city-1) (in-city office-1-1 city-1) (in-city office-1-2 city-1)
    (at truck-1 office-1-1)
    (at package-1 office-1-1) (at package-2 airport-1))
  (:goal
    (and
      (at package-1 office-1-2)
      (at package-2 office-1-2))))
