; Baking: cakes need flour and an egg, soufflés need butter and an egg. A pan is dirty after baking
; and takes a bar of soap to wash, so pans, ovens and soap have to be shared out.
(define (domain baking)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    ingredient pan oven soap dish - object
    egg flour butter - ingredient
    cake souffle - dish)
  (:predicates
    (in-pan ?ingredient - ingredient ?pan - pan)
    (has-egg ?pan - pan)
    (has-base ?pan - pan)
    (batter ?pan - pan)
    (custard ?pan - pan)
    (dirty ?pan - pan)
    (on-counter ?pan - pan)
    (in-oven ?pan - pan ?oven - oven)
    (oven-full ?oven - oven)
    (used ?ingredient - ingredient)
    (used-up ?soap - soap)
    (baked ?dish - dish))

  (:action add-egg
    :parameters (?egg - egg ?pan - pan)
    :precondition (and
      (on-counter ?pan)
      (not (dirty ?pan))
      (not (used ?egg))
      (not (has-egg ?pan))
      (not (batter ?pan))
      (not (custard ?pan)))
    :effect (and
      (in-pan ?egg ?pan)
      (has-egg ?pan)
      (used ?egg)))

  (:action add-flour
    :parameters (?flour - flour ?pan - pan)
    :precondition (and
      (on-counter ?pan)
      (not (dirty ?pan))
      (not (used ?flour))
      (not (has-base ?pan))
      (not (batter ?pan))
      (not (custard ?pan)))
    :effect (and
      (in-pan ?flour ?pan)
      (has-base ?pan)
      (used ?flour)))

  (:action add-butter
    :parameters (?butter - butter ?pan - pan)
    :precondition (and
      (on-counter ?pan)
      (not (dirty ?pan))
      (not (used ?butter))
      (not (has-base ?pan))
      (not (batter ?pan))
      (not (custard ?pan)))
    :effect (and
      (in-pan ?butter ?pan)
      (has-base ?pan)
      (used ?butter)))

  (:action mix-batter
    :parameters (?egg - egg ?flour - flour ?pan - pan)
    :precondition (and
      (on-counter ?pan)
      (in-pan ?egg ?pan)
      (in-pan ?flour ?pan))
    :effect (and
      (batter ?pan)
      (not (in-pan ?egg ?pan))
      (not (in-pan ?flour ?pan))
      (not (has-egg ?pan))
      (not (has-base ?pan))))

  (:action mix-custard
    :parameters (?egg - egg ?butter - butter ?pan - pan)
    :precondition (and
      (on-counter ?pan)
      (in-pan ?egg ?pan)
      (in-pan ?butter ?pan))
    :effect (and
      (custard ?pan)
      (not (in-pan ?egg ?pan))
      (not (in-pan ?butter ?pan))
      (not (has-egg ?pan))
      (not (has-base ?pan))))

  (:action put-in-oven
    :parameters (?pan - pan ?oven - oven)
    :precondition (and
      (on-counter ?pan)
      (not (oven-full ?oven)))
    :effect (and
      (in-oven ?pan ?oven)
      (oven-full ?oven)
      (not (on-counter ?pan))))

  (:action take-out
    :parameters (?pan - pan ?oven - oven)
    :precondition (in-oven ?pan ?oven)
    :effect (and
      (on-counter ?pan)
      (not (in-oven ?pan ?oven))
      (not (oven-full ?oven))))

  (:action bake-cake
    :parameters (?cake - cake ?pan - pan ?oven - oven)
    :precondition (and
      (in-oven ?pan ?oven)
      (batter ?pan)
      (not (baked ?cake)))
    :effect (and
      (baked ?cake)
      (dirty ?pan)
      (not (batter ?pan))))

  (:action bake-souffle
    :parameters (?souffle - souffle ?pan - pan ?oven - oven)
    :precondition (and
      (in-oven ?pan ?oven)
      (custard ?pan)
      (not (baked ?souffle)))
    :effect (and
      (baked ?souffle)
      (dirty ?pan)
      (not (custard ?pan))))

  (:action wash
    :parameters (?pan - pan ?soap - soap)
    :precondition (and
      (on-counter ?pan)
      (dirty ?pan)
      (not (used-up ?soap)))
    :effect (and
      (used-up ?soap)
      (not (dirty ?pan)))))
