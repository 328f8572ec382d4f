(define (domain delivery)
  (:requirements :strips :typing)
  (:types truck package - thing
          thing place - object)
  (:constants depot - place)
  (:predicates
    ; where a thing is
    (at ?x - thing ?p - place)
    (road ?from ?to - place)
    (inside ?x - package ?t - truck))
  ; drives to another place
  (:action drive
    :parameters (?t - truck ?from ?to - place)
    :precondition (and (at ?t ?from) (road ?from ?to))
    :effect (and (not (at ?t ?from)) (at ?t ?to)))
  (:action load
    :parameters (?x - package ?t - truck ?p - place)
    :precondition (and (at ?x ?p) (at ?t ?p))
    :effect (and (not (at ?x ?p)) (inside ?x ?t)))
  (:action unload
    :parameters (?x - package ?t - truck ?p - place)
    :precondition (and (inside ?x ?t) (at ?t ?p))
    :effect (and (not (inside ?x ?t)) (at ?x ?p))))
