; Places: 3; casinos: 1; coupons: 3; prizes: 1, of which 1 wanted.
(define (problem casino-train-02)
  (:domain casino)
  (:objects
    casino-1 corner-1 corner-2 - place
    coupon-1 coupon-2 coupon-3 - coupon
    trinket-1 - trinket
    n0 n1 n2 n3 - amount)
  (:init
    (gambler-at corner-1)
    (chips n0)
    (next n0 n1) (next n1 n2) (next n2 n3)
    (casino casino-1)
    (offers casino-1 trinket-1)
    (coupon-at coupon-1 casino-1)
    (coupon-at coupon-2 corner-2) (coupon-at coupon-3 corner-2)
    (street corner-2 casino-1) (street casino-1 corner-2)
    (street casino-1 corner-1) (street corner-1 casino-1))
  (:goal
    (won trinket-1)))
