; Regions: 4, of which 2 to visit; cars: 1; tickets: 0.
(define (problem travel-test-01)
  (:domain travel)
  (:objects
    alderbay birchbay cedarbay elmbay - region
    car-1 - car)
  (:init
    (at birchbay) (visited birchbay)
    (unused-car car-1)
    (red-airport birchbay)
    (borders alderbay birchbay) (borders birchbay alderbay)
    (borders alderbay cedarbay) (borders cedarbay alderbay)
    (borders birchbay cedarbay) (borders cedarbay birchbay)
    (borders cedarbay elmbay) (borders elmbay cedarbay))
  (:goal
    (and
      (visited cedarbay)
      (visited elmbay))))
