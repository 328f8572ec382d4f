; 3 lines, 2 switches (0 stuck), 1 breaker; faults: 1.
(define (problem supply-train-02)
  (:domain supply)
  (:objects
    line-1 line-2 line-3 - line
    switch-1 switch-2 - switch
    breaker-1 - breaker)
  (:init
    (supplies breaker-1 line-3)
    (joins switch-1 line-1 line-2)
    (joins switch-2 line-1 line-3)
    (faulty line-1))
  (:goal
    (and
      (fed line-2)
      (fed line-3)
      (calm))))
