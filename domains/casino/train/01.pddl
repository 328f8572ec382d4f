; Places: 2; casinos: 1; coupons: 2; prizes: 1, of which 1 wanted.
(define (problem casino-train-01)
  (:domain casino)
  (:objects
    casino-1 corner-1 - place
    coupon-1 coupon-2 - coupon
    trinket-1 - trinket
    n0 n1 n2 - amount)
  (:init
    (gambler-at casino-1)
    (chips n0)
    (next n0 n1) (next n1 n2)
    (casino casino-1)
    (offers casino-1 trinket-1)
    (coupon-at coupon-1 casino-1)
    (coupon-at coupon-2 corner-1)
    (street corner-1 casino-1) (street casino-1 corner-1))
  (:goal
    (won trinket-1)))
