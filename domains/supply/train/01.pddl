; 2 lines, 1 switches (0 stuck), 1 breaker; faults: 1.
(define (problem supply-train-01)
  (:domain supply)
  (:objects
    line-1 line-2 - line
    switch-1 - switch
    breaker-1 - breaker)
  (:init
    (supplies breaker-1 line-1)
    (joins switch-1 line-1 line-2)
    (closed switch-1)
    (faulty line-2))
  (:goal
    (and
      (fed line-1)
      (fed line-2)
      (calm))))
