; 4 lines, 4 switches (1 stuck), 1 breaker; faults: 1.
(define (problem supply-test-03)
  (:domain supply)
  (:objects
    line-1 line-2 line-3 line-4 - line
    switch-1 switch-2 switch-3 switch-4 - switch
    breaker-1 - breaker)
  (:init
    (supplies breaker-1 line-3)
    (joins switch-1 line-1 line-2)
    (joins switch-2 line-1 line-3)
    (joins switch-3 line-1 line-4)
    (joins switch-4 line-2 line-4)
    (closed switch-2) (closed switch-4)
    (stuck switch-1)
    (faulty line-2))
  (:goal
    (and
      (fed line-1)
      (fed line-2)
      (fed line-3)
      (fed line-4)
      (calm))))
