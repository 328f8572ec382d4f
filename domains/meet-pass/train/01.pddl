; Trains: 1; segments of the main line: 3; sidings: 0.
(define (problem meet-pass-train-01)
  (:domain meet-pass)
  (:objects
    train-1 - train
    main-1 main-2 main-3 - segment)
  (:init
    (at train-1 main-3)
    (clear main-1) (clear main-2)
    (connected main-1 main-2) (connected main-2 main-1)
    (connected main-2 main-3) (connected main-3 main-2))
  (:goal
    (at train-1 main-1)))
