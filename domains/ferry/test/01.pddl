; Harbours: 2; cars: 1; every route is direct.
(define (problem ferry-test-01)
  (:domain ferry)
  (:objects
    harbour-1 harbour-2 - harbour
    car-1 - car)
  (:init
    (ferry-at harbour-2)
    (empty)
    (route harbour-1 harbour-2) (route harbour-2 harbour-1)
    (at car-1 harbour-2))
  (:goal
    (at car-1 harbour-1)))
