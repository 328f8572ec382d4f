; Elevator: at each stop, everyone who waits there gets in, and everyone who wants to leave there gets out.
; An express passenger allows no stops before their own floor. The lift cannot stop at a floor that is barred for a
; passenger aboard. A child boards only if an adult rides or boards.
(define (domain elevator-adl)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions
    :existential-preconditions :universal-preconditions :conditional-effects)
  (:types floor passenger)
  (:predicates
    (above ?higher ?lower - floor)
    (origin ?passenger - passenger ?floor - floor)
    (destination ?passenger - passenger ?floor - floor)
    (express ?passenger - passenger)
    (barred ?passenger - passenger ?floor - floor)
    (child ?passenger - passenger)
    (lift-at ?floor - floor)
    (boarded ?passenger - passenger)
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

  (:action stop
    :parameters (?floor - floor)
    :precondition (and
      (lift-at ?floor)
      (forall (?passenger - passenger)
        (imply
          (boarded ?passenger)
          (and
            (not (barred ?passenger ?floor))
            (or
              (not (express ?passenger))
              (destination ?passenger ?floor))))))
    :effect (and
      (forall (?passenger - passenger)
        (when
          (and
            (boarded ?passenger)
            (destination ?passenger ?floor))
          (and
            (served ?passenger)
            (not (boarded ?passenger)))))
      (forall (?passenger - passenger)
        (when
          (and
            (origin ?passenger ?floor)
            (not (served ?passenger))
            (or
              (not (child ?passenger))
              (exists (?guardian - passenger)
                (and
                  (not (child ?guardian))
                  (not (served ?guardian))
                  (or
                    (boarded ?guardian)
                    (origin ?guardian ?floor))
                  (not (destination ?guardian ?floor))))))
          (boarded ?passenger))))))
