; Philosophers: 2; forks: 2.
(define (problem philosophers-train-02)
  (:domain philosophers)
  (:objects
    p1 p2 - philosopher
    fork-1 fork-2 - fork)
  (:init
    (first p1 fork-1) (second p1 fork-2) (thinking p1)
    (first p2 fork-2) (second p2 fork-1) (hungry p2)
    (free fork-1) (free fork-2))
  (:goal
    (forall (?philosopher - philosopher)
      (fed ?philosopher))))
