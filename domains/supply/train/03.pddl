; 4 lines, 3 switches (0 stuck), 2 breakers; faults: 1.
(define (problem supply-train-03)
  (:domain supply)
  (:objects
    line-1 line-2 line-3 line-4 - line
    switch-1 switch-2 switch-3 - switch
    breaker-1 breaker-2 - breaker)
  (:init
    (supplies breaker-1 line-4) (supplies breaker-2 line-1)
    (joins switch-1 line-1 line-2)
    (joins switch-2 line-1 line-3)
    (joins switch-3 line-3 line-4)
    (closed switch-1)
    (faulty line-4))
  (:goal
    (and
      (fed line-1)
      (fed line-2)
      (fed line-3)
      (fed line-4)
      (calm))))
