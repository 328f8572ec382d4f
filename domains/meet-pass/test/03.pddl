; Trains: 2; segments of the main line: 6; sidings: 1.
(define (problem meet-pass-test-03)
  (:domain meet-pass)
  (:objects
    train-1 train-2 - train
    main-1 main-2 main-3 main-4 main-5 main-6 siding-1a - segment)
  (:init
    (at train-1 main-6) (at train-2 main-4)
    (clear main-1) (clear main-2) (clear main-3) (clear main-5) (clear siding-1a)
    (connected main-1 main-2) (connected main-2 main-1)
    (connected main-2 main-3) (connected main-3 main-2)
    (connected main-3 main-4) (connected main-4 main-3)
    (connected main-4 main-5) (connected main-5 main-4)
    (connected main-5 main-6) (connected main-6 main-5)
    (connected main-2 siding-1a) (connected siding-1a main-2)
    (connected siding-1a main-4) (connected main-4 siding-1a))
  (:goal
    (and
      (at train-1 main-2)
      (at train-2 main-3))))
