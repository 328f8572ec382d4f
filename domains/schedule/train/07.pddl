; 4 pieces with 12 wishes.
(define (problem schedule-train-07)
  (:domain schedule)
  (:objects
    piece-1 piece-2 piece-3 piece-4 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 cylinder) (finished piece-1 rough) (hole piece-1 narrow)
    (shaped piece-2 cylinder) (finished piece-2 rough) (hole piece-2 narrow)
    (shaped piece-3 cube) (finished piece-3 rough) (hole piece-3 wide)
    (shaped piece-4 wedge) (finished piece-4 rough) (hole piece-4 narrow))
  (:goal
    (and
      (shaped piece-1 cylinder)
      (finished piece-1 polished)
      (hole piece-1 wide)
      (shaped piece-2 plate)
      (finished piece-2 polished)
      (painted piece-2 black)
      (finished piece-3 polished)
      (hole piece-3 wide)
      (painted piece-3 black)
      (finished piece-4 smooth)
      (hole piece-4 wide)
      (painted piece-4 black))))
