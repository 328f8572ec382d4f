; Exploding blocks: every block carries one charge. When the block is set down, the charge may go off and
; destroy the block or the table below for good, so the order of the moves matters.
(define (domain exploding-blocks)
  (:requirements :strips :typing :negative-preconditions :conditional-effects
    :probabilistic-effects)
  (:types block)
  (:predicates
    (on ?upper ?lower - block)
    (on-table ?block - block)
    (clear ?block - block)
    (holding ?block - block)
    (hand-empty)
    (charged ?block - block)
    (destroyed ?block - block)
    (table-destroyed))

  (:action pick-up
    :parameters (?block - block)
    :precondition (and
      (hand-empty)
      (on-table ?block)
      (clear ?block)
      (not (destroyed ?block)))
    :effect (and
      (holding ?block)
      (not (hand-empty))
      (not (on-table ?block))
      (not (clear ?block))))

  (:action put-down
    :parameters (?block - block)
    :precondition (and
      (holding ?block)
      (not (table-destroyed)))
    :effect (and
      (hand-empty)
      (on-table ?block)
      (clear ?block)
      (not (holding ?block))
      (when
        (charged ?block)
        (probabilistic
          2/5 (and
            (table-destroyed)
            (not (charged ?block)))))))

  (:action stack
    :parameters (?block ?target - block)
    :precondition (and
      (holding ?block)
      (clear ?target)
      (not (destroyed ?target)))
    :effect (and
      (hand-empty)
      (on ?block ?target)
      (clear ?block)
      (not (holding ?block))
      (not (clear ?target))
      (probabilistic
        1/10 (when
          (charged ?block)
          (and
            (destroyed ?target)
            (not (charged ?block)))))))

  (:action unstack
    :parameters (?block ?support - block)
    :precondition (and
      (hand-empty)
      (on ?block ?support)
      (clear ?block)
      (not (destroyed ?block)))
    :effect (and
      (holding ?block)
      (clear ?support)
      (not (hand-empty))
      (not (on ?block ?support))
      (not (clear ?block)))))
