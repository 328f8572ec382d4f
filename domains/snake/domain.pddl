; Snake: a snake crawls over a grid and grows by every apple it eats. When one apple is eaten the
; next one appears; the snake must not bite itself.
(define (domain snake)
  (:requirements :strips :typing :negative-preconditions)
  (:types cell direction)
  (:constants up down left right - direction)
  (:predicates
    (neighbor ?from ?to - cell ?dir - direction)
    (next-apple ?eaten ?next - cell)
    (last-apple ?cell - cell)
    (head-at ?cell - cell)
    (tail-at ?cell - cell)
    (ahead ?front ?behind - cell)
    (clear ?cell - cell)
    (apple-at ?cell - cell)
    (all-eaten))

  (:action crawl
    :parameters (?head ?to ?tail ?new-tail - cell ?dir - direction)
    :precondition (and
      (head-at ?head)
      (neighbor ?head ?to ?dir)
      (clear ?to)
      (not (apple-at ?to))
      (tail-at ?tail)
      (ahead ?new-tail ?tail))
    :effect (and
      (head-at ?to)
      (ahead ?to ?head)
      (tail-at ?new-tail)
      (clear ?tail)
      (not (head-at ?head))
      (not (ahead ?new-tail ?tail))
      (not (tail-at ?tail))
      (not (clear ?to))))

  (:action eat
    :parameters (?head ?apple ?next - cell ?dir - direction)
    :precondition (and
      (head-at ?head)
      (neighbor ?head ?apple ?dir)
      (clear ?apple)
      (apple-at ?apple)
      (next-apple ?apple ?next))
    :effect (and
      (head-at ?apple)
      (ahead ?apple ?head)
      (apple-at ?next)
      (not (head-at ?head))
      (not (apple-at ?apple))
      (not (clear ?apple))))

  (:action eat-last
    :parameters (?head ?apple - cell ?dir - direction)
    :precondition (and
      (head-at ?head)
      (neighbor ?head ?apple ?dir)
      (clear ?apple)
      (apple-at ?apple)
      (last-apple ?apple))
    :effect (and
      (head-at ?apple)
      (ahead ?apple ?head)
      (all-eaten)
      (not (head-at ?head))
      (not (apple-at ?apple))
      (not (clear ?apple)))))
