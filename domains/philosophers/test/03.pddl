; Philosophers: 3; forks: 3.
(define (problem philosophers-test-03)
  (:domain philosophers)
  (:objects
    p1 p2 p3 - philosopher
    fork-1 fork-2 fork-3 - fork)
  (:init
    (first p1 fork-1) (second p1 fork-2) (hungry p1)
    (first p2 fork-2) (second p2 fork-3) (thinking p2)
    (first p3 fork-3) (second p3 fork-1) (thinking p3)
    (free fork-1) (free fork-2) (free fork-3))
  (:goal
    (forall (?philosopher - philosopher)
      (fed ?philosopher))))
