; Harbours: 6; cars: 6; routes follow the coast.
(define (problem ferry-test-06)
  (:domain ferry)
  (:objects
    harbour-1 harbour-2 harbour-3 harbour-4 harbour-5 harbour-6 - harbour
    car-1 car-2 car-3 car-4 car-5 car-6 - car)
  (:init
    (ferry-at harbour-5)
    (empty)
    (route harbour-1 harbour-2) (route harbour-2 harbour-1)
    (route harbour-2 harbour-3) (route harbour-3 harbour-2)
    (route harbour-3 harbour-4) (route harbour-4 harbour-3)
    (route harbour-4 harbour-5) (route harbour-5 harbour-4)
    (route harbour-5 harbour-6) (route harbour-6 harbour-5)
    (route harbour-3 harbour-6) (route harbour-6 harbour-3)
    (at car-4 harbour-1)
    (at car-2 harbour-2) (at car-6 harbour-2)
    (at car-1 harbour-3)
    (at car-5 harbour-4)
    (at car-3 harbour-5))
  (:goal
    (and
      (at car-1 harbour-3)
      (at car-2 harbour-6)
      (at car-3 harbour-6)
      (at car-4 harbour-2)
      (at car-5 harbour-5)
      (at car-6 harbour-1))))
