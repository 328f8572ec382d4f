(define (domain explosion) (:requirements :strips) (:predicates (used ?thing) (done))
  (:action arrange :parameters (?a ?b ?c ?d ?e ?f ?g ?h ?i ?j) :precondition (and (used ?a) (used ?b)) :effect (done)))
(define (problem many) (:domain explosion) (:objects a b c d e f g h) (:init (used a) (used b)) (:goal (done)))
