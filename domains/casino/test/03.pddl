; Places: 4; casinos: 2; coupons: 4; prizes: 2, of which 2 wanted.
(define (problem casino-test-03)
  (:domain casino)
  (:objects
    casino-1 casino-2 corner-1 corner-2 - place
    coupon-1 coupon-2 coupon-3 coupon-4 - coupon
    trinket-1 - trinket
    watch-1 - watch
    n0 n1 n2 n3 n4 - amount)
  (:init
    (gambler-at corner-2)
    (chips n0)
    (next n0 n1) (next n1 n2) (next n2 n3) (next n3 n4)
    (casino casino-1) (casino casino-2)
    (offers casino-1 trinket-1) (offers casino-2 watch-1)
    (coupon-at coupon-3 casino-1)
    (coupon-at coupon-1 casino-2) (coupon-at coupon-2 casino-2)
    (coupon-at coupon-4 corner-1)
    (street corner-1 casino-1) (street casino-1 corner-1)
    (street casino-1 corner-2) (street corner-2 casino-1)
    (street casino-1 casino-2) (street casino-2 casino-1))
  (:goal
    (and
      (won trinket-1)
      (won watch-1))))
