; Regions: 10, of which 4 to visit; cars: 2; tickets: 2.
(define (problem travel-train-05)
  (:domain travel)
  (:objects
    alderbay birchbay cedarbay elmbay fernbay hazelbay ivybay juniperbay larchbay maplebay
    - region
    car-1 car-2 - car
    ticket-1 ticket-2 - ticket)
  (:init
    (at larchbay) (visited larchbay)
    (unused-car car-1) (unused-car car-2)
    (unused-ticket ticket-1) (red-ticket ticket-1)
    (unused-ticket ticket-2) (blue-ticket ticket-2)
    (red-airport birchbay) (red-airport fernbay) (red-airport hazelbay) (red-airport ivybay)
    (blue-airport maplebay)
    (borders alderbay birchbay) (borders birchbay alderbay)
    (borders alderbay ivybay) (borders ivybay alderbay)
    (borders birchbay cedarbay) (borders cedarbay birchbay)
    (borders birchbay fernbay) (borders fernbay birchbay)
    (borders birchbay juniperbay) (borders juniperbay birchbay)
    (borders birchbay larchbay) (borders larchbay birchbay)
    (borders cedarbay elmbay) (borders elmbay cedarbay)
    (borders cedarbay juniperbay) (borders juniperbay cedarbay)
    (borders elmbay hazelbay) (borders hazelbay elmbay)
    (borders elmbay maplebay) (borders maplebay elmbay)
    (borders fernbay larchbay) (borders larchbay fernbay))
  (:goal
    (and
      (visited cedarbay)
      (visited fernbay)
      (visited hazelbay)
      (visited juniperbay))))
