; Trains: 2; segments of the main line: 4; sidings: 1.
(define (problem meet-pass-test-02)
  (:domain meet-pass)
  (:objects
    train-1 train-2 - train
    main-1 main-2 main-3 main-4 siding-1a - segment)
  (:init
    (at train-1 main-3) (at train-2 main-2)
    (clear main-1) (clear main-4) (clear siding-1a)
    (connected main-1 main-2) (connected main-2 main-1)
    (connected main-2 main-3) (connected main-3 main-2)
    (connected main-3 main-4) (connected main-4 main-3)
    (connected main-1 siding-1a) (connected siding-1a main-1)
    (connected siding-1a main-3) (connected main-3 siding-1a))
  (:goal
    (and
      (at train-1 main-1)
      (at train-2 main-2))))
