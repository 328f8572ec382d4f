; Regions: 5, of which 2 to visit; cars: 1; tickets: 0.
(define (problem travel-train-02)
  (:domain travel)
  (:objects
    alderbay birchbay cedarbay elmbay fernbay - region
    car-1 - car)
  (:init
    (at birchbay) (visited birchbay)
    (unused-car car-1)
    (red-airport cedarbay)
    (borders alderbay birchbay) (borders birchbay alderbay)
    (borders alderbay fernbay) (borders fernbay alderbay)
    (borders birchbay cedarbay) (borders cedarbay birchbay)
    (borders birchbay fernbay) (borders fernbay birchbay)
    (borders cedarbay elmbay) (borders elmbay cedarbay))
  (:goal
    (and
      (visited cedarbay)
      (visited elmbay))))
