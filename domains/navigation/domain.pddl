; Navigation: a robot crosses a grid. Each cell has a hazard of its own; a robot that is lost is
; gone for good. The short way leads through the perilous middle.
(define (domain navigation)
  (:requirements :strips :typing :conditional-effects :probabilistic-effects)
  (:types cell direction hazard)
  (:constants
    north south east west - direction
    none slight low medium high extreme - hazard)
  (:predicates
    (neighbor ?from ?to - cell ?dir - direction)
    (risk ?cell - cell ?hazard - hazard)
    (robot-at ?cell - cell))

  (:action move
    :parameters (?from ?to - cell ?dir - direction)
    :precondition (and
      (robot-at ?from)
      (neighbor ?from ?to ?dir))
    :effect (and
      (not (robot-at ?from))
      (when
        (risk ?to none)
        (robot-at ?to))
      (when
        (risk ?to slight)
        (probabilistic 0.97 (robot-at ?to)))
      (when
        (risk ?to low)
        (probabilistic 0.9 (robot-at ?to)))
      (when
        (risk ?to medium)
        (probabilistic 3/4 (robot-at ?to)))
      (when
        (risk ?to high)
        (probabilistic 1/2 (robot-at ?to)))
      (when
        (risk ?to extreme)
        (probabilistic 1/20 (robot-at ?to))))))
