; Maze reachability: one step takes the explorer to any room that open passages lead to, near or
; far. A lever opens the closed gates it is wired to and closes the open ones.
(define (domain maze-reachability)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions :equality
    :existential-preconditions :conditional-effects :derived-predicates)
  (:types room gate lever)
  (:predicates
    (passage ?one ?other - room)
    (gateway ?gate - gate ?one ?other - room)
    (wired ?lever - lever ?gate - gate)
    (lever-in ?lever - lever ?room - room)
    (open ?gate - gate)
    (explorer-in ?room - room)
    (joined ?one ?other - room)
    (reachable ?from ?to - room))

  (:derived (joined ?one ?other - room)
    (or
      (passage ?one ?other)
      (passage ?other ?one)
      (exists (?gate - gate)
        (and
          (open ?gate)
          (or
            (gateway ?gate ?one ?other)
            (gateway ?gate ?other ?one))))))

  (:derived (reachable ?from ?to - room)
    (or
      (joined ?from ?to)
      (exists (?between - room)
        (and
          (joined ?from ?between)
          (reachable ?between ?to)))))

  (:action go
    :parameters (?from ?to - room)
    :precondition (and
      (explorer-in ?from)
      (reachable ?from ?to)
      (not (= ?from ?to)))
    :effect (and
      (explorer-in ?to)
      (not (explorer-in ?from))))

  (:action pull
    :parameters (?lever - lever ?room - room)
    :precondition (and
      (explorer-in ?room)
      (lever-in ?lever ?room))
    :effect (forall (?gate - gate)
      (and
        (when
          (and
            (wired ?lever ?gate)
            (open ?gate))
          (not (open ?gate)))
        (when
          (and
            (wired ?lever ?gate)
            (not (open ?gate)))
          (open ?gate))))))
