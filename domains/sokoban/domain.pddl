; Sokoban: a warehouse keeper pushes stones, one at a time and never pulling, onto the goal cells.
(define (domain sokoban)
  (:requirements :strips :typing)
  (:types direction cell stone)
  (:constants up down left right - direction)
  (:predicates
    (neighbor ?from ?to - cell ?dir - direction)
    (goal-cell ?cell - cell)
    (plain-cell ?cell - cell)
    (player-at ?cell - cell)
    (stone-at ?stone - stone ?cell - cell)
    (clear ?cell - cell)
    (stored ?stone - stone))

  (:action walk
    :parameters (?from ?to - cell ?dir - direction)
    :precondition (and
      (player-at ?from)
      (neighbor ?from ?to ?dir)
      (clear ?to))
    :effect (and
      (player-at ?to)
      (clear ?from)
      (not (player-at ?from))
      (not (clear ?to))))

  (:action push-to-goal
    :parameters (?stone - stone ?player ?from ?to - cell ?dir - direction)
    :precondition (and
      (player-at ?player)
      (neighbor ?player ?from ?dir)
      (stone-at ?stone ?from)
      (neighbor ?from ?to ?dir)
      (clear ?to)
      (goal-cell ?to))
    :effect (and
      (player-at ?from)
      (stone-at ?stone ?to)
      (stored ?stone)
      (clear ?player)
      (not (player-at ?player))
      (not (stone-at ?stone ?from))
      (not (clear ?to))))

  (:action push-to-plain
    :parameters (?stone - stone ?player ?from ?to - cell ?dir - direction)
    :precondition (and
      (player-at ?player)
      (neighbor ?player ?from ?dir)
      (stone-at ?stone ?from)
      (neighbor ?from ?to ?dir)
      (clear ?to)
      (plain-cell ?to))
    :effect (and
      (player-at ?from)
      (stone-at ?stone ?to)
      (clear ?player)
      (not (player-at ?player))
      (not (stone-at ?stone ?from))
      (not (clear ?to))
      (not (stored ?stone)))))
