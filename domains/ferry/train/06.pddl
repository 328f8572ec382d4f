; Harbours: 5; cars: 5; routes follow the coast.
(define (problem ferry-train-06)
  (:domain ferry)
  (:objects
    harbour-1 harbour-2 harbour-3 harbour-4 harbour-5 - harbour
    car-1 car-2 car-3 car-4 car-5 - car)
  (:init
    (ferry-at harbour-2)
    (empty)
    (route harbour-1 harbour-2) (route harbour-2 harbour-1)
    (route harbour-2 harbour-3) (route harbour-3 harbour-2)
    (route harbour-3 harbour-4) (route harbour-4 harbour-3)
    (route harbour-4 harbour-5) (route harbour-5 harbour-4)
    (at car-1 harbour-1)
    (at car-2 harbour-2)
    (at car-4 harbour-3)
    (at car-3 harbour-5) (at car-5 harbour-5))
  (:goal
    (and
      (at car-1 harbour-1)
      (at car-2 harbour-5)
      (at car-3 harbour-2)
      (at car-4 harbour-2)
      (at car-5 harbour-1))))
