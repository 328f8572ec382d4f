; Regions: 9, of which 4 to visit; cars: 2; tickets: 1.
(define (problem travel-test-04)
  (:domain travel)
  (:objects
    alderbay birchbay cedarbay elmbay fernbay hazelbay ivybay juniperbay larchbay - region
    car-1 car-2 - car
    ticket-1 - ticket)
  (:init
    (at cedarbay) (visited cedarbay)
    (unused-car car-1) (unused-car car-2)
    (unused-ticket ticket-1) (blue-ticket ticket-1)
    (red-airport fernbay)
    (blue-airport birchbay) (blue-airport elmbay) (blue-airport larchbay)
    (borders alderbay birchbay) (borders birchbay alderbay)
    (borders alderbay cedarbay) (borders cedarbay alderbay)
    (borders alderbay elmbay) (borders elmbay alderbay)
    (borders alderbay ivybay) (borders ivybay alderbay)
    (borders alderbay juniperbay) (borders juniperbay alderbay)
    (borders birchbay hazelbay) (borders hazelbay birchbay)
    (borders cedarbay fernbay) (borders fernbay cedarbay)
    (borders elmbay juniperbay) (borders juniperbay elmbay)
    (borders fernbay larchbay) (borders larchbay fernbay))
  (:goal
    (and
      (visited birchbay)
      (visited elmbay)
      (visited hazelbay)
      (visited juniperbay))))
