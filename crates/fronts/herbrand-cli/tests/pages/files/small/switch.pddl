(define (domain d) (:requirements :adl) (:predicates (in ?r) (has) (lit ?r) (dark ?r))
  (:action switch :parameters (?r) :precondition (lit ?r) :effect (and (dark ?r) (not (lit ?r))))
  (:action take :parameters (?r) :precondition (and (in ?r) (or (lit ?r) (dark ?r))) :effect (has)))
(define (problem p) (:domain d) (:objects hall) (:init (in hall) (lit hall)) (:goal (and (has) (dark hall))))
