; Places: 4; casinos: 1; coupons: 3; prizes: 2, of which 2 wanted.
(define (problem casino-train-03)
  (:domain casino)
  (:objects
    casino-1 corner-1 corner-2 corner-3 - place
    coupon-1 coupon-2 coupon-3 - coupon
    trinket-1 - trinket
    watch-1 - watch
    n0 n1 n2 n3 - amount)
  (:init
    (gambler-at corner-2)
    (chips n0)
    (next n0 n1) (next n1 n2) (next n2 n3)
    (casino casino-1)
    (offers casino-1 trinket-1) (offers casino-1 watch-1)
    (coupon-at coupon-3 corner-1)
    (coupon-at coupon-1 corner-3) (coupon-at coupon-2 corner-3)
    (street corner-3 corner-2) (street corner-2 corner-3)
    (street corner-3 casino-1) (street casino-1 corner-3)
    (street casino-1 corner-1) (street corner-1 casino-1)
    (street corner-2 corner-1) (street corner-1 corner-2))
  (:goal
    (and
      (won trinket-1)
      (won watch-1))))
