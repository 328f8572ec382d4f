; Places: 2; casinos: 1; coupons: 1; prizes: 1, of which 1 wanted.
(define (problem casino-test-01)
  (:domain casino)
  (:objects
    casino-1 corner-1 - place
    coupon-1 - coupon
    trinket-1 - trinket
    n0 n1 - amount)
  (:init
    (gambler-at corner-1)
    (chips n0)
    (next n0 n1)
    (casino casino-1)
    (offers casino-1 trinket-1)
    (coupon-at coupon-1 corner-1)
    (street corner-1 casino-1) (street casino-1 corner-1))
  (:goal
    (won trinket-1)))
