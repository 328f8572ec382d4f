; Harbours: 3; cars: 2; every route is direct.
(define (problem ferry-train-03)
  (:domain ferry)
  (:objects
    harbour-1 harbour-2 harbour-3 - harbour
    car-1 car-2 - car)
  (:init
    (ferry-at harbour-1)
    (empty)
    (route harbour-1 harbour-2) (route harbour-2 harbour-1)
    (route harbour-1 harbour-3) (route harbour-3 harbour-1)
    (route harbour-2 harbour-3) (route harbour-3 harbour-2)
    (at car-2 harbour-1)
    (at car-1 harbour-3))
  (:goal
    (and
      (at car-1 harbour-2)
      (at car-2 harbour-3))))
