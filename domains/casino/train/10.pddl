; Places: 20; casinos: 4; coupons: 20; prizes: 12, of which 8 wanted.
(define (problem casino-train-10)
  (:domain casino)
  (:objects
    casino-1 casino-2 casino-3 casino-4 corner-1 corner-2 corner-3 corner-4 corner-5 corner-6
    corner-7 corner-8 corner-9 corner-10 corner-11 corner-12 corner-13 corner-14 corner-15
    corner-16 - place
    coupon-1 coupon-2 coupon-3 coupon-4 coupon-5 coupon-6 coupon-7 coupon-8 coupon-9 coupon-10
    coupon-11 coupon-12 coupon-13 coupon-14 coupon-15 coupon-16 coupon-17 coupon-18 coupon-19
    coupon-20 - coupon
    trinket-1 trinket-2 trinket-3 trinket-4 trinket-5 trinket-6 - trinket
    watch-1 watch-2 watch-3 watch-4 - watch
    car-1 car-2 - car
    n0 n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11 n12 n13 n14 n15 n16 n17 n18 n19 n20 - amount)
  (:init
    (gambler-at corner-14)
    (chips n0)
    (next n0 n1) (next n1 n2) (next n2 n3) (next n3 n4) (next n4 n5) (next n5 n6) (next n6 n7)
    (next n7 n8) (next n8 n9) (next n9 n10) (next n10 n11) (next n11 n12) (next n12 n13)
    (next n13 n14) (next n14 n15) (next n15 n16) (next n16 n17) (next n17 n18) (next n18 n19)
    (next n19 n20)
    (casino casino-1) (casino casino-2) (casino casino-3) (casino casino-4)
    (offers casino-4 trinket-1) (offers casino-2 trinket-2) (offers casino-2 trinket-3)
    (offers casino-2 trinket-4) (offers casino-3 trinket-5) (offers casino-3 trinket-6)
    (offers casino-1 watch-1) (offers casino-3 watch-2) (offers casino-2 watch-3)
    (offers casino-1 watch-4) (offers casino-2 car-1) (offers casino-2 car-2)
    (coupon-at coupon-7 casino-3)
    (coupon-at coupon-1 casino-4)
    (coupon-at coupon-5 corner-2) (coupon-at coupon-6 corner-2) (coupon-at coupon-8 corner-2)
    (coupon-at coupon-20 corner-2)
    (coupon-at coupon-15 corner-3) (coupon-at coupon-17 corner-3)
    (coupon-at coupon-4 corner-5)
    (coupon-at coupon-3 corner-7)
    (coupon-at coupon-10 corner-8) (coupon-at coupon-16 corner-8) (coupon-at coupon-19 corner-8)
    (coupon-at coupon-12 corner-10)
    (coupon-at coupon-2 corner-12)
    (coupon-at coupon-9 corner-13)
    (coupon-at coupon-11 corner-16) (coupon-at coupon-13 corner-16)
    (coupon-at coupon-14 corner-16) (coupon-at coupon-18 corner-16)
    (street corner-10 corner-13) (street corner-13 corner-10)
    (street corner-13 corner-15) (street corner-15 corner-13)
    (street corner-10 corner-5) (street corner-5 corner-10)
    (street corner-10 casino-4) (street casino-4 corner-10)
    (street corner-15 corner-8) (street corner-8 corner-15)
    (street corner-8 casino-3) (street casino-3 corner-8)
    (street corner-15 corner-12) (street corner-12 corner-15)
    (street casino-4 corner-9) (street corner-9 casino-4)
    (street casino-3 corner-7) (street corner-7 casino-3)
    (street corner-8 corner-3) (street corner-3 corner-8)
    (street corner-3 casino-2) (street casino-2 corner-3)
    (street corner-12 corner-2) (street corner-2 corner-12)
    (street casino-2 corner-14) (street corner-14 casino-2)
    (street corner-3 corner-4) (street corner-4 corner-3)
    (street corner-14 corner-11) (street corner-11 corner-14)
    (street corner-2 corner-16) (street corner-16 corner-2)
    (street corner-11 corner-1) (street corner-1 corner-11)
    (street corner-1 corner-6) (street corner-6 corner-1)
    (street corner-16 casino-1) (street casino-1 corner-16)
    (street corner-15 corner-5) (street corner-5 corner-15)
    (street casino-4 corner-16) (street corner-16 casino-4)
    (street corner-13 corner-2) (street corner-2 corner-13)
    (street casino-4 corner-7) (street corner-7 casino-4)
    (street casino-3 casino-2) (street casino-2 casino-3))
  (:goal
    (and
      (won trinket-1)
      (won trinket-2)
      (won trinket-3)
      (won trinket-5)
      (won trinket-6)
      (won watch-2)
      (won watch-3)
      (won watch-4))))
