(define (problem two) (:domain lamps)
  (:objects a b)
  (:init (lamp a) (lamp b) (on b))
  (:goal (and (on a) (on b))))
