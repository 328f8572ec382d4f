; Places: 5; casinos: 1; coupons: 4; prizes: 2, of which 2 wanted.
(define (problem casino-train-04)
  (:domain casino)
  (:objects
    casino-1 corner-1 corner-2 corner-3 corner-4 - place
    coupon-1 coupon-2 coupon-3 coupon-4 - coupon
    trinket-1 trinket-2 - trinket
    n0 n1 n2 n3 n4 - amount)
  (:init
    (gambler-at corner-2)
    (chips n0)
    (next n0 n1) (next n1 n2) (next n2 n3) (next n3 n4)
    (casino casino-1)
    (offers casino-1 trinket-1) (offers casino-1 trinket-2)
    (coupon-at coupon-2 casino-1) (coupon-at coupon-4 casino-1)
    (coupon-at coupon-1 corner-2) (coupon-at coupon-3 corner-2)
    (street casino-1 corner-4) (street corner-4 casino-1)
    (street corner-4 corner-2) (street corner-2 corner-4)
    (street corner-4 corner-1) (street corner-1 corner-4)
    (street corner-1 corner-3) (street corner-3 corner-1)
    (street corner-4 corner-3) (street corner-3 corner-4))
  (:goal
    (and
      (won trinket-1)
      (won trinket-2))))
