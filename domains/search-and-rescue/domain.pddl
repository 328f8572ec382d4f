; Search and rescue: a robot crosses a city in ruins and carries the injured, one at a time, to
; hospitals. Rubble can be cleared away with a free hand; walls stay.
(define (domain search-and-rescue)
  (:requirements :strips :typing)
  (:types cell direction person)
  (:constants up down left right - direction)
  (:predicates
    (neighbor ?from ?to - cell ?dir - direction)
    (hospital ?cell - cell)
    (robot-at ?cell - cell)
    (person-at ?person - person ?cell - cell)
    (open ?cell - cell)
    (rubble ?cell - cell)
    (carrying ?person - person)
    (hand-free)
    (rescued ?person - person))

  (:action move
    :parameters (?from ?to - cell ?dir - direction)
    :precondition (and
      (robot-at ?from)
      (neighbor ?from ?to ?dir)
      (open ?to))
    :effect (and
      (robot-at ?to)
      (not (robot-at ?from))))

  (:action clear-rubble
    :parameters (?from ?to - cell ?dir - direction)
    :precondition (and
      (robot-at ?from)
      (neighbor ?from ?to ?dir)
      (rubble ?to)
      (hand-free))
    :effect (and
      (open ?to)
      (not (rubble ?to))))

  (:action pick-up
    :parameters (?person - person ?cell - cell)
    :precondition (and
      (robot-at ?cell)
      (person-at ?person ?cell)
      (hand-free))
    :effect (and
      (carrying ?person)
      (not (person-at ?person ?cell))
      (not (hand-free))))

  (:action set-down
    :parameters (?person - person ?cell - cell)
    :precondition (and
      (robot-at ?cell)
      (carrying ?person))
    :effect (and
      (person-at ?person ?cell)
      (hand-free)
      (not (carrying ?person))))

  (:action deliver
    :parameters (?person - person ?cell - cell)
    :precondition (and
      (robot-at ?cell)
      (hospital ?cell)
      (carrying ?person))
    :effect (and
      (rescued ?person)
      (hand-free)
      (not (carrying ?person)))))
