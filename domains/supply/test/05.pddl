; 7 lines, 8 switches (1 stuck), 2 breakers; faults: 2.
(define (problem supply-test-05)
  (:domain supply)
  (:objects
    line-1 line-2 line-3 line-4 line-5 line-6 line-7 - line
    switch-1 switch-2 switch-3 switch-4 switch-5 switch-6 switch-7 switch-8 - switch
    breaker-1 breaker-2 - breaker)
  (:init
    (supplies breaker-1 line-1) (supplies breaker-2 line-2)
    (joins switch-1 line-1 line-2)
    (joins switch-2 line-1 line-3)
    (joins switch-3 line-1 line-4)
    (joins switch-4 line-2 line-5)
    (joins switch-5 line-2 line-7)
    (joins switch-6 line-3 line-7)
    (joins switch-7 line-4 line-5)
    (joins switch-8 line-4 line-6)
    (closed switch-2) (closed switch-3) (closed switch-6) (closed switch-7)
    (closed breaker-1)
    (stuck switch-5)
    (faulty line-5) (faulty line-7))
  (:goal
    (and
      (fed line-1)
      (fed line-2)
      (fed line-3)
      (fed line-4)
      (fed line-5)
      (fed line-6)
      (fed line-7)
      (calm))))
