; Regions: 5, of which 2 to visit; cars: 0; tickets: 2.
(define (problem travel-test-02)
  (:domain travel)
  (:objects
    alderbay birchbay cedarbay elmbay fernbay - region
    ticket-1 ticket-2 - ticket)
  (:init
    (at cedarbay) (visited cedarbay)
    (unused-ticket ticket-1) (red-ticket ticket-1)
    (unused-ticket ticket-2) (blue-ticket ticket-2)
    (red-airport alderbay) (red-airport cedarbay) (red-airport elmbay)
    (blue-airport birchbay)
    (borders alderbay birchbay) (borders birchbay alderbay)
    (borders birchbay cedarbay) (borders cedarbay birchbay)
    (borders birchbay elmbay) (borders elmbay birchbay)
    (borders birchbay fernbay) (borders fernbay birchbay)
    (borders cedarbay elmbay) (borders elmbay cedarbay))
  (:goal
    (and
      (visited alderbay)
      (visited birchbay))))
