; Regions: 4, of which 2 to visit; cars: 0; tickets: 1.
(define (problem travel-train-01)
  (:domain travel)
  (:objects
    alderbay birchbay cedarbay elmbay - region
    ticket-1 - ticket)
  (:init
    (at birchbay) (visited birchbay)
    (unused-ticket ticket-1) (blue-ticket ticket-1)
    (blue-airport alderbay) (blue-airport birchbay)
    (borders alderbay birchbay) (borders birchbay alderbay)
    (borders alderbay elmbay) (borders elmbay alderbay)
    (borders birchbay cedarbay) (borders cedarbay birchbay)
    (borders birchbay elmbay) (borders elmbay birchbay))
  (:goal
    (and
      (visited alderbay)
      (visited elmbay))))
