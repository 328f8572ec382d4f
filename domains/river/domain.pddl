; River: a hiker wants to reach the hut on the other bank. A hiker who slips in the water is swept
; downstream, and below the last row of islands there are only the falls, with no way out.
(define (domain river)
  (:requirements :strips :typing :negative-preconditions :probabilistic-effects)
  (:types spot)
  (:predicates
    (path ?from ?to - spot)
    (shallow ?from ?to - spot)
    (deep ?from ?to - spot)
    (downstream ?spot ?below - spot)
    (campfire ?spot - spot)
    (hiker-at ?spot - spot)
    (shivering))

  (:action walk
    :parameters (?from ?to - spot)
    :precondition (and
      (hiker-at ?from)
      (path ?from ?to))
    :effect (and
      (hiker-at ?to)
      (not (hiker-at ?from))))

  (:action wade
    :parameters (?from ?to ?below - spot)
    :precondition (and
      (hiker-at ?from)
      (shallow ?from ?to)
      (downstream ?to ?below))
    :effect (and
      (not (hiker-at ?from))
      (probabilistic
        3/4 (hiker-at ?to)
        1/4 (and
          (hiker-at ?below)
          (shivering)))))

  (:action swim
    :parameters (?from ?to ?below - spot)
    :precondition (and
      (hiker-at ?from)
      (deep ?from ?to)
      (downstream ?to ?below)
      (not (shivering)))
    :effect (and
      (shivering)
      (not (hiker-at ?from))
      (probabilistic
        1/2 (hiker-at ?to)
        1/2 (hiker-at ?below))))

  (:action warm-up
    :parameters (?spot - spot)
    :precondition (and
      (hiker-at ?spot)
      (campfire ?spot)
      (shivering))
    :effect (not (shivering))))
