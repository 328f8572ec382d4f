; 12 lines, 14 switches (2 stuck), 3 breakers; faults: 2.
(define (problem supply-train-08)
  (:domain supply)
  (:objects
    line-1 line-2 line-3 line-4 line-5 line-6 line-7 line-8 line-9 line-10 line-11 line-12
    - line
    switch-1 switch-2 switch-3 switch-4 switch-5 switch-6 switch-7 switch-8 switch-9 switch-10
    switch-11 switch-12 switch-13 switch-14 - switch
    breaker-1 breaker-2 breaker-3 - breaker)
  (:init
    (supplies breaker-1 line-1) (supplies breaker-2 line-8) (supplies breaker-3 line-2)
    (joins switch-1 line-1 line-2)
    (joins switch-2 line-1 line-5)
    (joins switch-3 line-2 line-3)
    (joins switch-4 line-2 line-4)
    (joins switch-5 line-3 line-4)
    (joins switch-6 line-3 line-6)
    (joins switch-7 line-4 line-7)
    (joins switch-8 line-4 line-9)
    (joins switch-9 line-6 line-8)
    (joins switch-10 line-7 line-9)
    (joins switch-11 line-7 line-11)
    (joins switch-12 line-8 line-10)
    (joins switch-13 line-8 line-12)
    (joins switch-14 line-11 line-12)
    (closed switch-1) (closed switch-2) (closed switch-3) (closed switch-5) (closed switch-7)
    (closed switch-8) (closed switch-9) (closed switch-10) (closed switch-11) (closed switch-12)
    (closed switch-14)
    (closed breaker-2) (closed breaker-3)
    (stuck switch-12) (stuck switch-13)
    (faulty line-5) (faulty line-11))
  (:goal
    (and
      (fed line-1)
      (fed line-2)
      (fed line-3)
      (fed line-4)
      (fed line-6)
      (fed line-7)
      (fed line-8)
      (fed line-9)
      (fed line-10)
      (fed line-12)
      (calm))))
