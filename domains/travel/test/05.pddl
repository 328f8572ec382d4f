; Regions: 12, of which 5 to visit; cars: 1; tickets: 3.
(define (problem travel-test-05)
  (:domain travel)
  (:objects
    alderbay birchbay cedarbay elmbay fernbay hazelbay ivybay juniperbay larchbay maplebay
    oakbay rowanbay - region
    car-1 - car
    ticket-1 ticket-2 ticket-3 - ticket)
  (:init
    (at rowanbay) (visited rowanbay)
    (unused-car car-1)
    (unused-ticket ticket-1) (red-ticket ticket-1)
    (unused-ticket ticket-2) (red-ticket ticket-2)
    (unused-ticket ticket-3) (blue-ticket ticket-3)
    (red-airport cedarbay) (red-airport fernbay) (red-airport larchbay) (red-airport maplebay)
    (red-airport rowanbay)
    (blue-airport alderbay) (blue-airport ivybay) (blue-airport oakbay)
    (borders alderbay birchbay) (borders birchbay alderbay)
    (borders alderbay ivybay) (borders ivybay alderbay)
    (borders alderbay maplebay) (borders maplebay alderbay)
    (borders alderbay oakbay) (borders oakbay alderbay)
    (borders birchbay cedarbay) (borders cedarbay birchbay)
    (borders birchbay elmbay) (borders elmbay birchbay)
    (borders birchbay fernbay) (borders fernbay birchbay)
    (borders birchbay rowanbay) (borders rowanbay birchbay)
    (borders cedarbay oakbay) (borders oakbay cedarbay)
    (borders cedarbay rowanbay) (borders rowanbay cedarbay)
    (borders fernbay hazelbay) (borders hazelbay fernbay)
    (borders fernbay larchbay) (borders larchbay fernbay)
    (borders ivybay juniperbay) (borders juniperbay ivybay)
    (borders ivybay maplebay) (borders maplebay ivybay)
    (borders juniperbay oakbay) (borders oakbay juniperbay)
    (borders maplebay oakbay) (borders oakbay maplebay))
  (:goal
    (and
      (visited elmbay)
      (visited hazelbay)
      (visited ivybay)
      (visited juniperbay)
      (visited larchbay))))
