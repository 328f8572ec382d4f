; Places: 10; casinos: 2; coupons: 10; prizes: 5, of which 4 wanted.
(define (problem casino-train-07)
  (:domain casino)
  (:objects
    casino-1 casino-2 corner-1 corner-2 corner-3 corner-4 corner-5 corner-6 corner-7 corner-8
    - place
    coupon-1 coupon-2 coupon-3 coupon-4 coupon-5 coupon-6 coupon-7 coupon-8 coupon-9 coupon-10
    - coupon
    trinket-1 trinket-2 trinket-3 - trinket
    watch-1 watch-2 - watch
    n0 n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 - amount)
  (:init
    (gambler-at corner-3)
    (chips n0)
    (next n0 n1) (next n1 n2) (next n2 n3) (next n3 n4) (next n4 n5) (next n5 n6) (next n6 n7)
    (next n7 n8) (next n8 n9) (next n9 n10)
    (casino casino-1) (casino casino-2)
    (offers casino-2 trinket-1) (offers casino-1 trinket-2) (offers casino-1 trinket-3)
    (offers casino-2 watch-1) (offers casino-1 watch-2)
    (coupon-at coupon-10 casino-1)
    (coupon-at coupon-1 casino-2) (coupon-at coupon-5 casino-2)
    (coupon-at coupon-8 corner-3)
    (coupon-at coupon-6 corner-5) (coupon-at coupon-7 corner-5)
    (coupon-at coupon-3 corner-6)
    (coupon-at coupon-2 corner-7) (coupon-at coupon-4 corner-7)
    (coupon-at coupon-9 corner-8)
    (street corner-7 corner-8) (street corner-8 corner-7)
    (street corner-7 corner-4) (street corner-4 corner-7)
    (street corner-7 corner-2) (street corner-2 corner-7)
    (street corner-7 corner-6) (street corner-6 corner-7)
    (street corner-8 corner-3) (street corner-3 corner-8)
    (street corner-3 corner-1) (street corner-1 corner-3)
    (street corner-2 casino-2) (street casino-2 corner-2)
    (street corner-3 casino-1) (street casino-1 corner-3)
    (street corner-3 corner-5) (street corner-5 corner-3)
    (street corner-8 corner-6) (street corner-6 corner-8)
    (street corner-2 casino-1) (street casino-1 corner-2)
    (street corner-7 corner-3) (street corner-3 corner-7))
  (:goal
    (and
      (won trinket-2)
      (won trinket-3)
      (won watch-1)
      (won watch-2))))
