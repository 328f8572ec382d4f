; Places: 6; casinos: 1; coupons: 5; prizes: 3, of which 3 wanted.
(define (problem casino-test-04)
  (:domain casino)
  (:objects
    casino-1 corner-1 corner-2 corner-3 corner-4 corner-5 - place
    coupon-1 coupon-2 coupon-3 coupon-4 coupon-5 - coupon
    trinket-1 - trinket
    watch-1 - watch
    car-1 - car
    n0 n1 n2 n3 n4 n5 - amount)
  (:init
    (gambler-at corner-4)
    (chips n0)
    (next n0 n1) (next n1 n2) (next n2 n3) (next n3 n4) (next n4 n5)
    (casino casino-1)
    (offers casino-1 trinket-1) (offers casino-1 watch-1) (offers casino-1 car-1)
    (coupon-at coupon-1 corner-1)
    (coupon-at coupon-2 corner-3)
    (coupon-at coupon-3 corner-4) (coupon-at coupon-4 corner-4) (coupon-at coupon-5 corner-4)
    (street corner-3 corner-2) (street corner-2 corner-3)
    (street corner-3 corner-4) (street corner-4 corner-3)
    (street corner-4 casino-1) (street casino-1 corner-4)
    (street corner-3 corner-5) (street corner-5 corner-3)
    (street casino-1 corner-1) (street corner-1 casino-1)
    (street corner-2 corner-4) (street corner-4 corner-2))
  (:goal
    (and
      (won trinket-1)
      (won watch-1)
      (won car-1))))
