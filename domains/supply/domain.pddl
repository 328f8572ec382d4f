; Supply: after a fault, an electric network is switched so that the sound lines are live again.
; A line is fed when a closed breaker reaches it over closed switches; it is unsafe when closed
; switches join it to a fault. A closed breaker that reaches a fault raises the alarm, and then
; nothing can be switched before the breakers have tripped.
(define (domain supply)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions
    :existential-preconditions :conditional-effects :derived-predicates)
  (:types
    device line - object
    breaker switch - device)
  (:predicates
    (supplies ?breaker - breaker ?line - line)
    (joins ?switch - switch ?one ?other - line)
    (faulty ?line - line)
    (stuck ?switch - switch)
    (closed ?device - device)
    (linked ?one ?other - line)
    (fed ?line - line)
    (unsafe ?line - line)
    (overloaded ?breaker - breaker)
    (calm))

  (:derived (linked ?one ?other - line)
    (exists (?switch - switch)
      (and
        (closed ?switch)
        (or
          (joins ?switch ?one ?other)
          (joins ?switch ?other ?one)))))

  (:derived (fed ?line - line)
    (or
      (exists (?breaker - breaker)
        (and
          (closed ?breaker)
          (supplies ?breaker ?line)))
      (exists (?near - line)
        (and
          (linked ?near ?line)
          (fed ?near)))))

  (:derived (unsafe ?line - line)
    (or
      (faulty ?line)
      (exists (?near - line)
        (and
          (linked ?line ?near)
          (unsafe ?near)))))

  (:derived (overloaded ?breaker - breaker)
    (and
      (closed ?breaker)
      (exists (?line - line)
        (and
          (supplies ?breaker ?line)
          (unsafe ?line)))))

  (:derived (calm)
    (not (exists (?breaker - breaker) (overloaded ?breaker))))

  (:action open-switch
    :parameters (?switch - switch)
    :precondition (and
      (calm)
      (closed ?switch)
      (not (stuck ?switch)))
    :effect (not (closed ?switch)))

  (:action close-switch
    :parameters (?switch - switch)
    :precondition (and
      (calm)
      (not (closed ?switch))
      (not (stuck ?switch)))
    :effect (closed ?switch))

  (:action open-breaker
    :parameters (?breaker - breaker)
    :precondition (and
      (calm)
      (closed ?breaker))
    :effect (not (closed ?breaker)))

  (:action close-breaker
    :parameters (?breaker - breaker)
    :precondition (and
      (calm)
      (not (closed ?breaker)))
    :effect (closed ?breaker))

  (:action repair
    :parameters (?line - line)
    :precondition (and
      (calm)
      (faulty ?line)
      (not (fed ?line))
      (not (exists (?near - line) (linked ?line ?near))))
    :effect (not (faulty ?line)))

  (:action trip
    :parameters ()
    :precondition (not (calm))
    :effect (forall (?breaker - breaker)
      (when
        (overloaded ?breaker)
        (not (closed ?breaker))))))
