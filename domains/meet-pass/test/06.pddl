; Trains: 3; segments of the main line: 10; sidings: 3.
(define (problem meet-pass-test-06)
  (:domain meet-pass)
  (:objects
    train-1 train-2 train-3 - train
    main-1 main-2 main-3 main-4 main-5 main-6 main-7 main-8 main-9 main-10 siding-1a siding-2a
    siding-2b siding-3a - segment)
  (:init
    (at train-1 main-5) (at train-2 main-1) (at train-3 main-7)
    (clear main-2) (clear main-3) (clear main-4) (clear main-6) (clear main-8) (clear main-9)
    (clear main-10) (clear siding-1a) (clear siding-2a) (clear siding-2b) (clear siding-3a)
    (connected main-1 main-2) (connected main-2 main-1)
    (connected main-2 main-3) (connected main-3 main-2)
    (connected main-3 main-4) (connected main-4 main-3)
    (connected main-4 main-5) (connected main-5 main-4)
    (connected main-5 main-6) (connected main-6 main-5)
    (connected main-6 main-7) (connected main-7 main-6)
    (connected main-7 main-8) (connected main-8 main-7)
    (connected main-8 main-9) (connected main-9 main-8)
    (connected main-9 main-10) (connected main-10 main-9)
    (connected main-2 siding-1a) (connected siding-1a main-2)
    (connected siding-1a main-4) (connected main-4 siding-1a)
    (connected main-5 siding-2a) (connected siding-2a main-5)
    (connected siding-2a siding-2b) (connected siding-2b siding-2a)
    (connected siding-2b main-8) (connected main-8 siding-2b)
    (connected main-7 siding-3a) (connected siding-3a main-7)
    (connected siding-3a main-9) (connected main-9 siding-3a))
  (:goal
    (and
      (at train-1 main-9)
      (at train-2 main-6)
      (at train-3 main-5))))
