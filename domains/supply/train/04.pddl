; 5 lines, 5 switches (0 stuck), 2 breakers; faults: 1.
(define (problem supply-train-04)
  (:domain supply)
  (:objects
    line-1 line-2 line-3 line-4 line-5 - line
    switch-1 switch-2 switch-3 switch-4 switch-5 - switch
    breaker-1 breaker-2 - breaker)
  (:init
    (supplies breaker-1 line-2) (supplies breaker-2 line-1)
    (joins switch-1 line-1 line-2)
    (joins switch-2 line-1 line-3)
    (joins switch-3 line-2 line-4)
    (joins switch-4 line-3 line-4)
    (joins switch-5 line-4 line-5)
    (closed switch-2) (closed switch-3) (closed switch-4) (closed switch-5)
    (closed breaker-1)
    (faulty line-3))
  (:goal
    (and
      (fed line-1)
      (fed line-2)
      (fed line-4)
      (fed line-5)
      (calm))))
