; Trains: 3; segments of the main line: 8; sidings: 2.
(define (problem meet-pass-train-06)
  (:domain meet-pass)
  (:objects
    train-1 train-2 train-3 - train
    main-1 main-2 main-3 main-4 main-5 main-6 main-7 main-8 siding-1a siding-2a siding-2b
    - segment)
  (:init
    (at train-1 main-4) (at train-2 main-3) (at train-3 main-7)
    (clear main-1) (clear main-2) (clear main-5) (clear main-6) (clear main-8) (clear siding-1a)
    (clear siding-2a) (clear siding-2b)
    (connected main-1 main-2) (connected main-2 main-1)
    (connected main-2 main-3) (connected main-3 main-2)
    (connected main-3 main-4) (connected main-4 main-3)
    (connected main-4 main-5) (connected main-5 main-4)
    (connected main-5 main-6) (connected main-6 main-5)
    (connected main-6 main-7) (connected main-7 main-6)
    (connected main-7 main-8) (connected main-8 main-7)
    (connected main-3 siding-1a) (connected siding-1a main-3)
    (connected siding-1a main-5) (connected main-5 siding-1a)
    (connected main-4 siding-2a) (connected siding-2a main-4)
    (connected siding-2a siding-2b) (connected siding-2b siding-2a)
    (connected siding-2b main-7) (connected main-7 siding-2b))
  (:goal
    (and
      (at train-1 main-3)
      (at train-2 main-2)
      (at train-3 main-1))))
