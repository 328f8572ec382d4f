; Regions: 6, of which 3 to visit; cars: 1; tickets: 1.
(define (problem travel-train-03)
  (:domain travel)
  (:objects
    alderbay birchbay cedarbay elmbay fernbay hazelbay - region
    car-1 - car
    ticket-1 - ticket)
  (:init
    (at cedarbay) (visited cedarbay)
    (unused-car car-1)
    (unused-ticket ticket-1) (blue-ticket ticket-1)
    (red-airport hazelbay)
    (blue-airport alderbay) (blue-airport birchbay) (blue-airport cedarbay)
    (blue-airport elmbay) (blue-airport fernbay)
    (borders alderbay birchbay) (borders birchbay alderbay)
    (borders alderbay elmbay) (borders elmbay alderbay)
    (borders birchbay cedarbay) (borders cedarbay birchbay)
    (borders elmbay fernbay) (borders fernbay elmbay)
    (borders elmbay hazelbay) (borders hazelbay elmbay))
  (:goal
    (and
      (visited alderbay)
      (visited birchbay)
      (visited fernbay))))
