; Philosophers: 12; forks: 12.
(define (problem philosophers-test-10)
  (:domain philosophers)
  (:objects
    p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 - philosopher
    fork-1 fork-2 fork-3 fork-4 fork-5 fork-6 fork-7 fork-8 fork-9 fork-10 fork-11 fork-12
    - fork)
  (:init
    (first p1 fork-10) (second p1 fork-8) (thinking p1)
    (first p2 fork-2) (second p2 fork-7) (thinking p2)
    (first p3 fork-10) (second p3 fork-4) (thinking p3)
    (first p4 fork-7) (second p4 fork-3) (hungry p4)
    (first p5 fork-6) (second p5 fork-11) (thinking p5)
    (first p6 fork-8) (second p6 fork-6) (thinking p6)
    (first p7 fork-8) (second p7 fork-4) (thinking p7)
    (first p8 fork-7) (second p8 fork-1) (thinking p8)
    (first p9 fork-6) (second p9 fork-5) (thinking p9)
    (first p10 fork-1) (second p10 fork-7) (thinking p10)
    (first p11 fork-1) (second p11 fork-12) (thinking p11)
    (first p12 fork-11) (second p12 fork-12) (hungry p12)
    (free fork-1) (free fork-2) (free fork-3) (free fork-4) (free fork-5) (free fork-6)
    (free fork-7) (free fork-8) (free fork-9) (free fork-10) (free fork-11) (free fork-12))
  (:goal
    (and
      (deadlock)
      (fed p1)
      (fed p7)
      (fed p8))))
