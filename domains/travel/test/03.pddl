; Regions: 7, of which 3 to visit; cars: 1; tickets: 1.
(define (problem travel-test-03)
  (:domain travel)
  (:objects
    alderbay birchbay cedarbay elmbay fernbay hazelbay ivybay - region
    car-1 - car
    ticket-1 - ticket)
  (:init
    (at elmbay) (visited elmbay)
    (unused-car car-1)
    (unused-ticket ticket-1) (red-ticket ticket-1)
    (red-airport fernbay) (red-airport hazelbay)
    (blue-airport alderbay)
    (borders alderbay birchbay) (borders birchbay alderbay)
    (borders birchbay cedarbay) (borders cedarbay birchbay)
    (borders birchbay hazelbay) (borders hazelbay birchbay)
    (borders birchbay ivybay) (borders ivybay birchbay)
    (borders cedarbay elmbay) (borders elmbay cedarbay)
    (borders cedarbay fernbay) (borders fernbay cedarbay)
    (borders cedarbay ivybay) (borders ivybay cedarbay)
    (borders fernbay ivybay) (borders ivybay fernbay))
  (:goal
    (and
      (visited alderbay)
      (visited cedarbay)
      (visited hazelbay))))
