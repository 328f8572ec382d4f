; Doors: a walker enters only unlocked rooms, and taking a key unlocks the room it belongs to.
(define (domain doors)
  (:requirements :strips :typing)
  (:types spot room key)
  (:predicates
    (step ?from ?to - spot)
    (in-room ?spot - spot ?room - room)
    (opens ?key - key ?room - room)
    (walker-at ?spot - spot)
    (key-at ?key - key ?spot - spot)
    (unlocked ?room - room))

  (:action walk
    :parameters (?from ?to - spot ?room - room)
    :precondition (and
      (walker-at ?from)
      (step ?from ?to)
      (in-room ?to ?room)
      (unlocked ?room))
    :effect (and
      (walker-at ?to)
      (not (walker-at ?from))))

  (:action take-key
    :parameters (?key - key ?spot - spot ?room - room)
    :precondition (and
      (walker-at ?spot)
      (key-at ?key ?spot)
      (opens ?key ?room))
    :effect (and
      (unlocked ?room)
      (not (key-at ?key ?spot)))))
