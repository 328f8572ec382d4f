(define (domain shop) (:requirements :rewards :negative-preconditions) (:predicates (sold))
  (:action sell :precondition (not (sold)) :effect (and (sold) (increase (reward) 5))))
(define (problem p) (:domain shop) (:init) (:goal (sold)) (:goal-reward 100) (:metric maximize (reward)))
