; Rearrangement: a robot wheels about a nursery and puts toys where they belong. What it holds comes
; along with it, and for some shelves any toy of the right kind will do.
(define (domain rearrangement)
  (:requirements :strips :typing :existential-preconditions)
  (:types
    cell toy - object
    pawn bear monkey - toy)
  (:predicates
    (adjacent ?from ?to - cell)
    (robot-at ?cell - cell)
    (at ?toy - toy ?cell - cell)
    (holding ?toy - toy)
    (hand-free))

  (:action move-free
    :parameters (?from ?to - cell)
    :precondition (and
      (robot-at ?from)
      (adjacent ?from ?to)
      (hand-free))
    :effect (and
      (robot-at ?to)
      (not (robot-at ?from))))

  (:action move-holding
    :parameters (?toy - toy ?from ?to - cell)
    :precondition (and
      (robot-at ?from)
      (adjacent ?from ?to)
      (holding ?toy)
      (at ?toy ?from))
    :effect (and
      (robot-at ?to)
      (at ?toy ?to)
      (not (robot-at ?from))
      (not (at ?toy ?from))))

  (:action pick
    :parameters (?toy - toy ?cell - cell)
    :precondition (and
      (robot-at ?cell)
      (at ?toy ?cell)
      (hand-free))
    :effect (and
      (holding ?toy)
      (not (hand-free))))

  (:action place
    :parameters (?toy - toy)
    :precondition (holding ?toy)
    :effect (and
      (hand-free)
      (not (holding ?toy)))))
