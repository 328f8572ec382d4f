; Harbours: 4; cars: 4; every route is direct.
(define (problem ferry-train-05)
  (:domain ferry)
  (:objects
    harbour-1 harbour-2 harbour-3 harbour-4 - harbour
    car-1 car-2 car-3 car-4 - car)
  (:init
    (ferry-at harbour-1)
    (empty)
    (route harbour-1 harbour-2) (route harbour-2 harbour-1)
    (route harbour-1 harbour-3) (route harbour-3 harbour-1)
    (route harbour-1 harbour-4) (route harbour-4 harbour-1)
    (route harbour-2 harbour-3) (route harbour-3 harbour-2)
    (route harbour-2 harbour-4) (route harbour-4 harbour-2)
    (route harbour-3 harbour-4) (route harbour-4 harbour-3)
    (at car-1 harbour-2) (at car-4 harbour-2)
    (at car-2 harbour-3) (at car-3 harbour-3))
  (:goal
    (and
      (at car-1 harbour-1)
      (at car-2 harbour-4)
      (at car-3 harbour-2)
      (at car-4 harbour-4))))
