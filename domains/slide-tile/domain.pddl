; Slide tile: tiles on a board with one gap slide into the gap until all are in order. A tile slides
; up, down, left or right.
(define (domain slide-tile)
  (:requirements :strips :typing)
  (:types cell direction tile)
  (:constants up down left right - direction)
  (:predicates
    (neighbor ?from ?to - cell ?dir - direction)
    (tile-at ?tile - tile ?cell - cell)
    (gap-at ?cell - cell))

  (:action slide
    :parameters (?tile - tile ?from ?to - cell ?dir - direction)
    :precondition (and
      (gap-at ?to)
      (neighbor ?from ?to ?dir)
      (tile-at ?tile ?from))
    :effect (and
      (tile-at ?tile ?to)
      (gap-at ?from)
      (not (tile-at ?tile ?from))
      (not (gap-at ?to)))))
