; 3 lines, 3 switches (0 stuck), 1 breaker; faults: 1.
(define (problem supply-test-02)
  (:domain supply)
  (:objects
    line-1 line-2 line-3 - line
    switch-1 switch-2 switch-3 - switch
    breaker-1 - breaker)
  (:init
    (supplies breaker-1 line-1)
    (joins switch-1 line-1 line-2)
    (joins switch-2 line-1 line-3)
    (joins switch-3 line-2 line-3)
    (closed switch-2) (closed switch-3)
    (closed breaker-1)
    (faulty line-1))
  (:goal
    (and
      (fed line-2)
      (fed line-3)
      (calm))))
