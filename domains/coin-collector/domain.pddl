; Coin collector: a house of rooms, with doors that are initially closed, and a coin in one of the
; rooms. The agent sees only the room it is in.
(define (domain coin-collector)
  (:requirements :strips :typing :negative-preconditions)
  (:types room way item)
  (:constants north south east west - way)
  (:predicates
    (leads ?from ?to - room ?way - way)
    (door ?from ?to - room)
    (agent-at ?room - room)
    (visited ?room - room)
    (closed ?from ?to - room)
    (in ?item - item ?room - room)
    (held ?item - item))

  (:action go
    :parameters (?from ?to - room ?way - way)
    :precondition (and
      (agent-at ?from)
      (leads ?from ?to ?way)
      (not (closed ?from ?to)))
    :effect (and
      (agent-at ?to)
      (visited ?to)
      (not (agent-at ?from))))

  (:action open-door
    :parameters (?from ?to - room ?way - way)
    :precondition (and
      (agent-at ?from)
      (leads ?from ?to ?way)
      (closed ?from ?to))
    :effect (and
      (not (closed ?from ?to))
      (not (closed ?to ?from))))

  (:action close-door
    :parameters (?from ?to - room ?way - way)
    :precondition (and
      (agent-at ?from)
      (leads ?from ?to ?way)
      (door ?from ?to)
      (not (closed ?from ?to)))
    :effect (and
      (closed ?from ?to)
      (closed ?to ?from)))

  (:action take
    :parameters (?item - item ?room - room)
    :precondition (and
      (agent-at ?room)
      (in ?item ?room))
    :effect (and
      (held ?item)
      (not (in ?item ?room))))

  (:action drop
    :parameters (?item - item ?room - room)
    :precondition (and
      (agent-at ?room)
      (held ?item))
    :effect (and
      (in ?item ?room)
      (not (held ?item)))))
