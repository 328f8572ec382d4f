; It is dark, and there shall be light.
(define (problem evening)
  (:domain light-switch)
  (:init)
  (:goal (lit)))
