; Quantified blocks: the four moves of blocks, with quantifiers in place of extra predicates, and
; goals such as "every red block stands on a green one".
(define (domain quantified-blocks)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions :equality
    :existential-preconditions :universal-preconditions)
  (:types block)
  (:predicates
    (red ?block - block)
    (green ?block - block)
    (blue ?block - block)
    (on ?upper ?lower - block)
    (on-table ?block - block)
    (holding ?block - block))

  (:action pick-up
    :parameters (?block - block)
    :precondition (and
      (on-table ?block)
      (forall (?upper - block) (not (on ?upper ?block)))
      (not (exists (?other - block) (holding ?other))))
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
      (not (= ?block ?target))
      (forall (?upper - block) (not (on ?upper ?target))))
    :effect (and
      (on ?block ?target)
      (not (holding ?block))))

  (:action unstack
    :parameters (?block ?support - block)
    :precondition (and
      (on ?block ?support)
      (forall (?upper - block) (not (on ?upper ?block)))
      (not (exists (?other - block) (holding ?other))))
    :effect (and
      (holding ?block)
      (not (on ?block ?support)))))
