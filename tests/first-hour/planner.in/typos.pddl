; Barges carry containers between harbours; each canal has a length.
(define (domain barges)
  (:requirements :typing :action-costs)
  (:types harbour barge container)
  (:predicates
    (moored ?b - barge ?h - harbour)
    (canal ?from ?to - harbour)
    (on-quay ?c - container ?h - harbour)
    (on-board ?c - container ?b - barge)
    (empty ?b - barge))
  (:functions (canal-length ?from ?to - harbour) (total-cost))
  (:action sail
    :parameters (?b - barge ?from ?to - harbour)
    :precondition (and (moored ?b ?from) (canal ?from ?to))
    :effect (and (not (moored ?b ?from)) (moored ?b ?to)
                 (increase (total-cost) (canal-length ?from ?to))))
  (:action load
    :parameters (?c - container ?b - barge ?h - harbour)
    :precondition (and (mored ?b ?h) (on-quay ?h ?c) (empty ?d))
    :effect (and (not (on-quay ?c ?h)) (not (empty ?b)) (on-board ?c ?b)
                 (increase (total-cost) 1)))
  (:action unload
    :parameters (?c - container ?b - barge ?h - harbour)
    :precondition (and (moored ?b ?h) (on-board ?c ?b))
    :effect (and (on-quay ?c ?h) (empty ?b) (not (on-board ?c ?b))
                 (increase (total-cost) 1))))
