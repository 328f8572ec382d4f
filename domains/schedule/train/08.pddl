; 5 pieces with 20 wishes.
(define (problem schedule-train-08)
  (:domain schedule)
  (:objects
    piece-1 piece-2 piece-3 piece-4 piece-5 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 cube) (finished piece-1 rough) (hole piece-1 narrow)
    (shaped piece-2 plate) (finished piece-2 rough)
    (shaped piece-3 cylinder) (finished piece-3 smooth) (painted piece-3 black)
    (hole piece-3 narrow)
    (shaped piece-4 cube) (finished piece-4 smooth)
    (shaped piece-5 wedge) (finished piece-5 polished) (painted piece-5 blue)
    (hole piece-5 narrow))
  (:goal
    (and
      (shaped piece-1 cylinder)
      (finished piece-1 polished)
      (hole piece-1 wide)
      (painted piece-1 blue)
      (shaped piece-2 cylinder)
      (finished piece-2 polished)
      (hole piece-2 narrow)
      (painted piece-2 black)
      (shaped piece-3 plate)
      (finished piece-3 smooth)
      (hole piece-3 wide)
      (painted piece-3 black)
      (shaped piece-4 cylinder)
      (finished piece-4 smooth)
      (hole piece-4 wide)
      (painted piece-4 red)
      (shaped piece-5 cylinder)
      (finished piece-5 polished)
      (hole piece-5 wide)
      (painted piece-5 blue))))
