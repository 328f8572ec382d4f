; Cooking world: a recipe in the kitchen's cookbook lists food that is somewhere in the house, some of it
; to be cut or cooked in a certain way. Food cut or cooked in another way is spoilt. The agent sees the
; room it is in, with the things on its furniture and in its open furniture.
(define (domain cooking-world)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions
    :universal-preconditions :conditional-effects)
  (:types room way fixture item shape heat - object
    spot appliance - fixture
    food knife book - item)
  (:constants
    north south east west - way
    chopped diced sliced - shape
    fried grilled roasted - heat)
  (:predicates
    (leads ?from ?to - room ?way - way)
    (door ?from ?to - room)
    (kitchen ?room - room)
    (stands ?fixture - fixture ?room - room)
    (lid ?spot - spot)
    (gives ?appliance - appliance ?heat - heat)
    (wanted ?food - food)
    (wants-raw ?food - food)
    (wants-whole ?food - food)
    (wants-heat ?food - food ?heat - heat)
    (wants-shape ?food - food ?shape - shape)
    (agent-at ?room - room)
    (visited ?room - room)
    (closed ?from ?to - room)
    (shut ?spot - spot)
    (in ?item - item ?spot - spot)
    (held ?item - item)
    (raw ?food - food)
    (whole ?food - food)
    (cooked ?food - food ?heat - heat)
    (cut ?food - food ?shape - shape)
    (read ?book - book)
    (served)
    (eaten))

  (:action go
    :parameters (?from ?to - room ?way - way)
    :precondition (and
      (agent-at ?from)
      (leads ?from ?to ?way)
      (not (closed ?from ?to)))
    :effect (and
      (agent-at ?to)
      (visited ?to)
      (not (agent-at ?from))))

  (:action open-door
    :parameters (?from ?to - room ?way - way)
    :precondition (and
      (agent-at ?from)
      (leads ?from ?to ?way)
      (closed ?from ?to))
    :effect (and
      (not (closed ?from ?to))
      (not (closed ?to ?from))))

  (:action close-door
    :parameters (?from ?to - room ?way - way)
    :precondition (and
      (agent-at ?from)
      (leads ?from ?to ?way)
      (door ?from ?to)
      (not (closed ?from ?to)))
    :effect (and
      (closed ?from ?to)
      (closed ?to ?from)))

  (:action open
    :parameters (?spot - spot ?room - room)
    :precondition (and
      (agent-at ?room)
      (stands ?spot ?room)
      (shut ?spot))
    :effect (not (shut ?spot)))

  (:action close
    :parameters (?spot - spot ?room - room)
    :precondition (and
      (agent-at ?room)
      (stands ?spot ?room)
      (lid ?spot)
      (not (shut ?spot)))
    :effect (shut ?spot))

  (:action take
    :parameters (?item - item ?spot - spot ?room - room)
    :precondition (and
      (agent-at ?room)
      (stands ?spot ?room)
      (in ?item ?spot)
      (not (shut ?spot)))
    :effect (and
      (held ?item)
      (not (in ?item ?spot))))

  (:action put
    :parameters (?item - item ?spot - spot ?room - room)
    :precondition (and
      (agent-at ?room)
      (stands ?spot ?room)
      (held ?item)
      (not (shut ?spot)))
    :effect (and
      (in ?item ?spot)
      (not (held ?item))))

  (:action cook
    :parameters (?food - food ?appliance - appliance ?heat - heat ?room - room)
    :precondition (and
      (agent-at ?room)
      (stands ?appliance ?room)
      (gives ?appliance ?heat)
      (held ?food)
      (raw ?food))
    :effect (and
      (cooked ?food ?heat)
      (not (raw ?food))))

  (:action cut
    :parameters (?food - food ?shape - shape ?knife - knife)
    :precondition (and
      (held ?knife)
      (held ?food)
      (whole ?food))
    :effect (and
      (cut ?food ?shape)
      (not (whole ?food))))

  (:action read
    :parameters (?book - book ?spot - spot ?room - room)
    :precondition (and
      (agent-at ?room)
      (stands ?spot ?room)
      (in ?book ?spot)
      (not (shut ?spot)))
    :effect (read ?book))

  (:action prepare-meal
    :parameters (?room - room ?book - book)
    :precondition (and
      (agent-at ?room)
      (kitchen ?room)
      (read ?book)
      (not (served))
      (not (eaten))
      (forall (?food - food)
        (imply
          (wanted ?food)
          (held ?food)))
      (forall (?food - food)
        (imply
          (wants-raw ?food)
          (raw ?food)))
      (forall (?food - food)
        (imply
          (wants-whole ?food)
          (whole ?food)))
      (forall (?food - food ?heat - heat)
        (imply
          (wants-heat ?food ?heat)
          (cooked ?food ?heat)))
      (forall (?food - food ?shape - shape)
        (imply
          (wants-shape ?food ?shape)
          (cut ?food ?shape))))
    :effect (and
      (served)
      (forall (?food - food)
        (when
          (wanted ?food)
          (not (held ?food))))))

  (:action eat-meal
    :precondition (served)
    :effect (and
      (eaten)
      (not (served)))))
