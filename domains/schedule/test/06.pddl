; 3 pieces with 12 wishes.
(define (problem schedule-test-06)
  (:domain schedule)
  (:objects
    piece-1 piece-2 piece-3 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 plate) (finished piece-1 rough) (hole piece-1 narrow)
    (shaped piece-2 cube) (finished piece-2 polished)
    (shaped piece-3 wedge) (finished piece-3 rough))
  (:goal
    (and
      (shaped piece-1 plate)
      (finished piece-1 polished)
      (hole piece-1 narrow)
      (painted piece-1 red)
      (shaped piece-2 plate)
      (finished piece-2 smooth)
      (hole piece-2 narrow)
      (painted piece-2 black)
      (shaped piece-3 cylinder)
      (finished piece-3 smooth)
      (hole piece-3 narrow)
      (painted piece-3 blue))))
