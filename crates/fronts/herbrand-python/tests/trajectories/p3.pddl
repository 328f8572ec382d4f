(define (problem p3) (:domain machine)
  (:objects a b c d e - part)
  (:init (joined a b) (worn c) (probabilistic 1/2 (runs a)))
  (:goal (and (driven b) (driven c) (not (worn a)) (not (worn c)) (runs c))))
