; Places: 3; casinos: 1; coupons: 2; prizes: 1, of which 1 wanted.
(define (problem casino-test-02)
  (:domain casino)
  (:objects
    casino-1 corner-1 corner-2 - place
    coupon-1 coupon-2 - coupon
    watch-1 - watch
    n0 n1 n2 - amount)
  (:init
    (gambler-at corner-2)
    (chips n0)
    (next n0 n1) (next n1 n2)
    (casino casino-1)
    (offers casino-1 watch-1)
    (coupon-at coupon-2 casino-1)
    (coupon-at coupon-1 corner-1)
    (street casino-1 corner-2) (street corner-2 casino-1)
    (street corner-2 corner-1) (street corner-1 corner-2)
    (street casino-1 corner-1) (street corner-1 casino-1))
  (:goal
    (won watch-1)))
