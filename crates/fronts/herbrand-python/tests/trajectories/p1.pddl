(define (problem p1) (:domain machine)
  (:objects a b c - part)
  (:init (joined a b) (worn c) (probabilistic 1/2 (runs a)))
  (:goal (and (driven b) (driven c) (not (worn a)) (not (worn c)) (runs c))))
