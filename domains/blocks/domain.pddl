; Blocks: a hand rebuilds towers of blocks on a table, one block at a time.
(define (domain blocks)
  (:requirements :strips :typing)
  (:types block)
  (:predicates
    (on ?upper ?lower - block)
    (on-table ?block - block)
    (clear ?block - block)
    (holding ?block - block)
    (hand-empty))

  (:action pick-up
    :parameters (?block - block)
    :precondition (and
      (hand-empty)
      (on-table ?block)
      (clear ?block))
    :effect (and
      (holding ?block)
      (not (hand-empty))
      (not (on-table ?block))
      (not (clear ?block))))

  (:action put-down
    :parameters (?block - block)
    :precondition (holding ?block)
    :effect (and
      (hand-empty)
      (on-table ?block)
      (clear ?block)
      (not (holding ?block))))

  (:action stack
    :parameters (?block ?target - block)
    :precondition (and
      (holding ?block)
      (clear ?target))
    :effect (and
      (hand-empty)
      (on ?block ?target)
      (clear ?block)
      (not (holding ?block))
      (not (clear ?target))))

  (:action unstack
    :parameters (?block ?support - block)
    :precondition (and
      (hand-empty)
      (on ?block ?support)
      (clear ?block))
    :effect (and
      (holding ?block)
      (clear ?support)
      (not (hand-empty))
      (not (on ?block ?support))
      (not (clear ?block)))))
