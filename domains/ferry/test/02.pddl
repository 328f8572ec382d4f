; Harbours: 3; cars: 1; routes follow the coast.
(define (problem ferry-test-02)
  (:domain ferry)
  (:objects
    harbour-1 harbour-2 harbour-3 - harbour
    car-1 - car)
  (:init
    (ferry-at harbour-2)
    (empty)
    (route harbour-1 harbour-2) (route harbour-2 harbour-1)
    (route harbour-2 harbour-3) (route harbour-3 harbour-2)
    (at car-1 harbour-1))
  (:goal
    (at car-1 harbour-2)))
