; Elevator: one lift takes every passenger from the origin to the destination floor.
(define (domain elevator)
  (:requirements :strips :typing)
  (:types floor passenger)
  (:predicates
    (above ?higher ?lower - floor)
    (origin ?passenger - passenger ?floor - floor)
    (destination ?passenger - passenger ?floor - floor)
    (lift-at ?floor - floor)
    (boarded ?passenger - passenger)
    (waiting ?passenger - passenger)
    (served ?passenger - passenger))

  (:action up
    :parameters (?from ?to - floor)
    :precondition (and
      (lift-at ?from)
      (above ?to ?from))
    :effect (and
      (lift-at ?to)
      (not (lift-at ?from))))

  (:action down
    :parameters (?from ?to - floor)
    :precondition (and
      (lift-at ?from)
      (above ?from ?to))
    :effect (and
      (lift-at ?to)
      (not (lift-at ?from))))

  (:action board
    :parameters (?passenger - passenger ?floor - floor)
    :precondition (and
      (lift-at ?floor)
      (waiting ?passenger)
      (origin ?passenger ?floor))
    :effect (and
      (boarded ?passenger)
      (not (waiting ?passenger))))

  (:action depart
    :parameters (?passenger - passenger ?floor - floor)
    :precondition (and
      (lift-at ?floor)
      (boarded ?passenger)
      (destination ?passenger ?floor))
    :effect (and
      (served ?passenger)
      (not (boarded ?passenger)))))
