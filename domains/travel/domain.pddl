; Travel: a tour of an island's regions. Walking leads to the next region, a rented car two regions
; on, a plane between airports of its airline; every rental and every ticket is good for one ride.
(define (domain travel)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types region car ticket)
  (:predicates
    (borders ?one ?other - region)
    (red-airport ?region - region)
    (blue-airport ?region - region)
    (red-ticket ?ticket - ticket)
    (blue-ticket ?ticket - ticket)
    (at ?region - region)
    (visited ?region - region)
    (unused-car ?car - car)
    (unused-ticket ?ticket - ticket))

  (:action walk
    :parameters (?from ?to - region)
    :precondition (and
      (at ?from)
      (borders ?from ?to))
    :effect (and
      (at ?to)
      (visited ?to)
      (not (at ?from))))

  (:action drive
    :parameters (?from ?through ?to - region ?car - car)
    :precondition (and
      (at ?from)
      (unused-car ?car)
      (borders ?from ?through)
      (borders ?through ?to)
      (not (= ?from ?to)))
    :effect (and
      (at ?to)
      (visited ?through)
      (visited ?to)
      (not (at ?from))
      (not (unused-car ?car))))

  (:action fly-red
    :parameters (?from ?to - region ?ticket - ticket)
    :precondition (and
      (at ?from)
      (red-airport ?from)
      (red-airport ?to)
      (red-ticket ?ticket)
      (unused-ticket ?ticket)
      (not (= ?from ?to)))
    :effect (and
      (at ?to)
      (visited ?to)
      (not (at ?from))
      (not (unused-ticket ?ticket))))

  (:action fly-blue
    :parameters (?from ?to - region ?ticket - ticket)
    :precondition (and
      (at ?from)
      (blue-airport ?from)
      (blue-airport ?to)
      (blue-ticket ?ticket)
      (unused-ticket ?ticket)
      (not (= ?from ?to)))
    :effect (and
      (at ?to)
      (visited ?to)
      (not (at ?from))
      (not (unused-ticket ?ticket)))))
