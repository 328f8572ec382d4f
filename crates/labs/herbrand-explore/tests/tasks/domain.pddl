; The domain of PDDLEGO's coin collector, with the coin.
(define (domain environment)
  (:requirements :strips :typing :negative-preconditions :existential-preconditions)
  (:types location direction thing)
  (:constants north south east west - direction coin - thing)
  (:predicates
    (at ?loc - location)
    (visited ?loc - location)
    (connected ?from ?to - location ?way - direction)
    (closed-door ?from ?to - location)
    (lies ?thing - thing ?loc - location)
    (taken ?thing - thing))

  (:action open-door
    :parameters (?from ?to - location ?way - direction)
    :precondition (and (at ?from) (connected ?from ?to ?way) (closed-door ?from ?to))
    :effect (not (closed-door ?from ?to)))

  (:action walk
    :parameters (?from ?to - location ?way - direction)
    :precondition (and (at ?from) (connected ?from ?to ?way) (not (closed-door ?from ?to)))
    :effect (and (not (at ?from)) (at ?to)))

  (:action pick
    :parameters (?thing - thing ?loc - location)
    :precondition (and (at ?loc) (lies ?thing ?loc))
    :effect (and (taken ?thing) (not (lies ?thing ?loc)))))
