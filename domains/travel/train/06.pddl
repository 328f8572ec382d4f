; Regions: 14, of which 5 to visit; cars: 2; tickets: 2.
(define (problem travel-train-06)
  (:domain travel)
  (:objects
    alderbay birchbay cedarbay elmbay fernbay hazelbay ivybay juniperbay larchbay maplebay
    oakbay rowanbay alderdale birchdale - region
    car-1 car-2 - car
    ticket-1 ticket-2 - ticket)
  (:init
    (at ivybay) (visited ivybay)
    (unused-car car-1) (unused-car car-2)
    (unused-ticket ticket-1) (red-ticket ticket-1)
    (unused-ticket ticket-2) (blue-ticket ticket-2)
    (red-airport alderbay) (red-airport cedarbay) (red-airport elmbay) (red-airport ivybay)
    (blue-airport hazelbay)
    (borders alderbay birchbay) (borders birchbay alderbay)
    (borders alderbay elmbay) (borders elmbay alderbay)
    (borders alderbay maplebay) (borders maplebay alderbay)
    (borders birchbay cedarbay) (borders cedarbay birchbay)
    (borders birchbay fernbay) (borders fernbay birchbay)
    (borders birchbay hazelbay) (borders hazelbay birchbay)
    (borders birchbay juniperbay) (borders juniperbay birchbay)
    (borders birchbay oakbay) (borders oakbay birchbay)
    (borders cedarbay ivybay) (borders ivybay cedarbay)
    (borders cedarbay oakbay) (borders oakbay cedarbay)
    (borders elmbay rowanbay) (borders rowanbay elmbay)
    (borders fernbay larchbay) (borders larchbay fernbay)
    (borders fernbay birchdale) (borders birchdale fernbay)
    (borders hazelbay alderdale) (borders alderdale hazelbay)
    (borders juniperbay oakbay) (borders oakbay juniperbay)
    (borders larchbay birchdale) (borders birchdale larchbay))
  (:goal
    (and
      (visited elmbay)
      (visited juniperbay)
      (visited larchbay)
      (visited maplebay)
      (visited rowanbay))))
