; Blocks with axioms: which blocks are above others, which are clear, and whether the hand is empty are derived
; from the position of each block. A heavy block must not be on a tower that contains glass.
(define (domain blocks-derived)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions
    :existential-preconditions :derived-predicates)
  (:types block)
  (:predicates
    (heavy ?block - block)
    (glass ?block - block)
    (on ?upper ?lower - block)
    (on-table ?block - block)
    (holding ?block - block)
    (above ?upper ?lower - block)
    (clear ?block - block)
    (over-glass ?block - block)
    (hand-empty))

  (:derived (above ?upper ?lower - block)
    (or
      (on ?upper ?lower)
      (exists (?middle - block)
        (and
          (on ?upper ?middle)
          (above ?middle ?lower)))))

  (:derived (clear ?block - block)
    (and
      (not (holding ?block))
      (not (exists (?upper - block) (on ?upper ?block)))))

  (:derived (over-glass ?block - block)
    (or
      (glass ?block)
      (exists (?lower - block)
        (and
          (above ?block ?lower)
          (glass ?lower)))))

  (:derived (hand-empty)
    (not (exists (?block - block) (holding ?block))))

  (:action pick-up
    :parameters (?block - block)
    :precondition (and
      (hand-empty)
      (on-table ?block)
      (clear ?block))
    :effect (and
      (holding ?block)
      (not (on-table ?block))))

  (:action put-down
    :parameters (?block - block)
    :precondition (holding ?block)
    :effect (and
      (on-table ?block)
      (not (holding ?block))))

  (:action stack
    :parameters (?block ?target - block)
    :precondition (and
      (holding ?block)
      (clear ?target)
      (or
        (not (heavy ?block))
        (not (over-glass ?target))))
    :effect (and
      (on ?block ?target)
      (not (holding ?block))))

  (:action unstack
    :parameters (?block ?support - block)
    :precondition (and
      (hand-empty)
      (on ?block ?support)
      (clear ?block))
    :effect (and
      (holding ?block)
      (not (on ?block ?support)))))
