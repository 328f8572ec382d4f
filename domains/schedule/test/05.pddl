; 3 pieces with 6 wishes.
(define (problem schedule-test-05)
  (:domain schedule)
  (:objects
    piece-1 piece-2 piece-3 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 wedge) (finished piece-1 smooth) (painted piece-1 red) (hole piece-1 wide)
    (shaped piece-2 cylinder) (finished piece-2 polished)
    (shaped piece-3 cube) (finished piece-3 smooth) (painted piece-3 black))
  (:goal
    (and
      (shaped piece-1 cylinder)
      (painted piece-1 red)
      (hole piece-2 wide)
      (painted piece-2 red)
      (finished piece-3 smooth)
      (painted piece-3 red))))
