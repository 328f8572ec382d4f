; Regions: 8, of which 3 to visit; cars: 1; tickets: 2.
(define (problem travel-train-04)
  (:domain travel)
  (:objects
    alderbay birchbay cedarbay elmbay fernbay hazelbay ivybay juniperbay - region
    car-1 - car
    ticket-1 ticket-2 - ticket)
  (:init
    (at alderbay) (visited alderbay)
    (unused-car car-1)
    (unused-ticket ticket-1) (blue-ticket ticket-1)
    (unused-ticket ticket-2) (blue-ticket ticket-2)
    (blue-airport alderbay) (blue-airport cedarbay) (blue-airport fernbay) (blue-airport ivybay)
    (blue-airport juniperbay)
    (borders alderbay birchbay) (borders birchbay alderbay)
    (borders alderbay cedarbay) (borders cedarbay alderbay)
    (borders alderbay fernbay) (borders fernbay alderbay)
    (borders birchbay elmbay) (borders elmbay birchbay)
    (borders birchbay fernbay) (borders fernbay birchbay)
    (borders birchbay hazelbay) (borders hazelbay birchbay)
    (borders cedarbay ivybay) (borders ivybay cedarbay)
    (borders cedarbay juniperbay) (borders juniperbay cedarbay)
    (borders elmbay hazelbay) (borders hazelbay elmbay))
  (:goal
    (and
      (visited cedarbay)
      (visited fernbay)
      (visited juniperbay))))
