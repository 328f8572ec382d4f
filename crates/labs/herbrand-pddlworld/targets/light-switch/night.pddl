; The lamp burns, and it shall be dark.
(define (problem night)
  (:domain light-switch)
  (:init
    (on)
    (lit))
  (:goal (not (lit))))
