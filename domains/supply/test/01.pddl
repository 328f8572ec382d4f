; 2 lines, 1 switches (0 stuck), 2 breakers; faults: 0.
(define (problem supply-test-01)
  (:domain supply)
  (:objects
    line-1 line-2 - line
    switch-1 - switch
    breaker-1 breaker-2 - breaker)
  (:init
    (supplies breaker-1 line-1) (supplies breaker-2 line-2)
    (joins switch-1 line-1 line-2))
  (:goal
    (and
      (fed line-1)
      (fed line-2)
      (calm))))
