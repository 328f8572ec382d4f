; Places: 7; casinos: 2; coupons: 6; prizes: 4, of which 1 wanted.
(define (problem casino-test-05)
  (:domain casino)
  (:objects
    casino-1 casino-2 corner-1 corner-2 corner-3 corner-4 corner-5 - place
    coupon-1 coupon-2 coupon-3 coupon-4 coupon-5 coupon-6 - coupon
    trinket-1 trinket-2 - trinket
    watch-1 watch-2 - watch
    n0 n1 n2 n3 n4 n5 n6 - amount)
  (:init
    (gambler-at corner-5)
    (chips n0)
    (next n0 n1) (next n1 n2) (next n2 n3) (next n3 n4) (next n4 n5) (next n5 n6)
    (casino casino-1) (casino casino-2)
    (offers casino-2 trinket-1) (offers casino-2 trinket-2) (offers casino-1 watch-1)
    (offers casino-1 watch-2)
    (coupon-at coupon-3 corner-2) (coupon-at coupon-5 corner-2)
    (coupon-at coupon-4 corner-3)
    (coupon-at coupon-6 corner-4)
    (coupon-at coupon-1 corner-5) (coupon-at coupon-2 corner-5)
    (street casino-1 corner-5) (street corner-5 casino-1)
    (street casino-1 corner-4) (street corner-4 casino-1)
    (street casino-1 corner-2) (street corner-2 casino-1)
    (street casino-1 corner-3) (street corner-3 casino-1)
    (street corner-2 corner-1) (street corner-1 corner-2)
    (street corner-2 casino-2) (street casino-2 corner-2)
    (street casino-1 casino-2) (street casino-2 casino-1)
    (street corner-2 corner-3) (street corner-3 corner-2))
  (:goal
    (won watch-1)))
