; Philosophers: everybody needs two forks and takes them in a fixed order. Who waits for whom is
; derived. A philosopher who waits for himself, directly or through others, is in a deadlock.
(define (domain philosophers)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions
    :existential-preconditions :universal-preconditions :derived-predicates)
  (:types philosopher fork)
  (:predicates
    (first ?philosopher - philosopher ?fork - fork)
    (second ?philosopher - philosopher ?fork - fork)
    (thinking ?philosopher - philosopher)
    (hungry ?philosopher - philosopher)
    (fed ?philosopher - philosopher)
    (free ?fork - fork)
    (holding ?philosopher - philosopher ?fork - fork)
    (wants ?philosopher - philosopher ?fork - fork)
    (waits-for ?philosopher ?other - philosopher)
    (deadlock))

  (:derived (wants ?philosopher - philosopher ?fork - fork)
    (and
      (hungry ?philosopher)
      (not (holding ?philosopher ?fork))
      (or
        (first ?philosopher ?fork)
        (and
          (second ?philosopher ?fork)
          (exists (?held - fork)
            (and
              (first ?philosopher ?held)
              (holding ?philosopher ?held)))))))

  (:derived (waits-for ?philosopher ?other - philosopher)
    (or
      (exists (?fork - fork)
        (and
          (wants ?philosopher ?fork)
          (holding ?other ?fork)))
      (exists (?between - philosopher)
        (and
          (waits-for ?philosopher ?between)
          (waits-for ?between ?other)))))

  (:derived (deadlock)
    (exists (?philosopher - philosopher) (waits-for ?philosopher ?philosopher)))

  (:action get-hungry
    :parameters (?philosopher - philosopher)
    :precondition (thinking ?philosopher)
    :effect (and
      (hungry ?philosopher)
      (not (thinking ?philosopher))))

  (:action take
    :parameters (?philosopher - philosopher ?fork - fork)
    :precondition (and
      (wants ?philosopher ?fork)
      (free ?fork))
    :effect (and
      (holding ?philosopher ?fork)
      (not (free ?fork))))

  (:action eat
    :parameters (?philosopher - philosopher ?one ?other - fork)
    :precondition (and
      (hungry ?philosopher)
      (first ?philosopher ?one)
      (second ?philosopher ?other)
      (holding ?philosopher ?one)
      (holding ?philosopher ?other))
    :effect (and
      (thinking ?philosopher)
      (fed ?philosopher)
      (free ?one)
      (free ?other)
      (not (hungry ?philosopher))
      (not (holding ?philosopher ?one))
      (not (holding ?philosopher ?other)))))
