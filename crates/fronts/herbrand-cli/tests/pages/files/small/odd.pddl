(define (domain d) (:predicates (at ?p) (road ?p ?q) (odd))
  (:action drive :parameters (?p ?q) :precondition (and (at ?p) (road ?p ?q)) :effect (and (at ?q) (not (at ?p))))
  (:action both :parameters (?p ?q) :precondition (and (at ?p) (at ?q) (road ?p ?q)) :effect (and (odd) (not (at ?p)))))
(define (problem p) (:domain d) (:objects a b) (:init (at a) (road a b) (road b a)) (:goal (at b)))
