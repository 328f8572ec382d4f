; Casino: a gambler walks about town, changes coupons for chips at the casinos, and plays for
; prizes: a raffle is won half the time, roulette one time in four, the jackpot one in twenty.
(define (domain casino)
  (:requirements :strips :typing :negative-preconditions :probabilistic-effects)
  (:types
    place coupon prize amount - object
    trinket watch car - prize)
  (:predicates
    (street ?from ?to - place)
    (casino ?place - place)
    (offers ?place - place ?prize - prize)
    (coupon-at ?coupon - coupon ?place - place)
    (next ?less ?more - amount)
    (gambler-at ?place - place)
    (has-coupon ?coupon - coupon)
    (chips ?amount - amount)
    (won ?prize - prize))

  (:action walk
    :parameters (?from ?to - place)
    :precondition (and
      (gambler-at ?from)
      (street ?from ?to))
    :effect (and
      (gambler-at ?to)
      (not (gambler-at ?from))))

  (:action take-coupon
    :parameters (?coupon - coupon ?place - place)
    :precondition (and
      (gambler-at ?place)
      (coupon-at ?coupon ?place))
    :effect (and
      (has-coupon ?coupon)
      (not (coupon-at ?coupon ?place))))

  (:action change-coupon
    :parameters (?coupon - coupon ?place - place ?before ?after - amount)
    :precondition (and
      (gambler-at ?place)
      (casino ?place)
      (has-coupon ?coupon)
      (chips ?before)
      (next ?before ?after))
    :effect (and
      (chips ?after)
      (not (chips ?before))
      (not (has-coupon ?coupon))))

  (:action play-raffle
    :parameters (?prize - trinket ?place - place ?before ?after - amount)
    :precondition (and
      (gambler-at ?place)
      (offers ?place ?prize)
      (not (won ?prize))
      (chips ?before)
      (next ?after ?before))
    :effect (and
      (chips ?after)
      (not (chips ?before))
      (probabilistic 1/2 (won ?prize))))

  (:action play-roulette
    :parameters (?prize - watch ?place - place ?before ?after - amount)
    :precondition (and
      (gambler-at ?place)
      (offers ?place ?prize)
      (not (won ?prize))
      (chips ?before)
      (next ?after ?before))
    :effect (and
      (chips ?after)
      (not (chips ?before))
      (probabilistic 1/4 (won ?prize))))

  (:action play-jackpot
    :parameters (?prize - car ?place - place ?before ?after - amount)
    :precondition (and
      (gambler-at ?place)
      (offers ?place ?prize)
      (not (won ?prize))
      (chips ?before)
      (next ?after ?before))
    :effect (and
      (chips ?after)
      (not (chips ?before))
      (probabilistic 1/20 (won ?prize)))))
