; 6 lines, 6 switches (1 stuck), 2 breakers; faults: 1.
(define (problem supply-train-05)
  (:domain supply)
  (:objects
    line-1 line-2 line-3 line-4 line-5 line-6 - line
    switch-1 switch-2 switch-3 switch-4 switch-5 switch-6 - switch
    breaker-1 breaker-2 - breaker)
  (:init
    (supplies breaker-1 line-2) (supplies breaker-2 line-4)
    (joins switch-1 line-1 line-2)
    (joins switch-2 line-1 line-3)
    (joins switch-3 line-1 line-4)
    (joins switch-4 line-2 line-3)
    (joins switch-5 line-2 line-5)
    (joins switch-6 line-2 line-6)
    (closed switch-1) (closed switch-3) (closed switch-5) (closed switch-6)
    (stuck switch-2)
    (faulty line-5))
  (:goal
    (and
      (fed line-1)
      (fed line-2)
      (fed line-3)
      (fed line-4)
      (fed line-5)
      (fed line-6)
      (calm))))
