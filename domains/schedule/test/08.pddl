; 6 pieces with 24 wishes.
(define (problem schedule-test-08)
  (:domain schedule)
  (:objects
    piece-1 piece-2 piece-3 piece-4 piece-5 piece-6 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 wedge) (finished piece-1 rough) (hole piece-1 wide)
    (shaped piece-2 cube) (finished piece-2 smooth) (hole piece-2 wide)
    (shaped piece-3 plate) (finished piece-3 rough) (hole piece-3 narrow)
    (shaped piece-4 cube) (finished piece-4 rough) (hole piece-4 narrow)
    (shaped piece-5 wedge) (finished piece-5 smooth) (hole piece-5 narrow)
    (shaped piece-6 plate) (finished piece-6 smooth) (painted piece-6 red) (hole piece-6 wide))
  (:goal
    (and
      (shaped piece-1 plate)
      (finished piece-1 polished)
      (hole piece-1 wide)
      (painted piece-1 black)
      (shaped piece-2 plate)
      (finished piece-2 polished)
      (hole piece-2 wide)
      (painted piece-2 red)
      (shaped piece-3 plate)
      (finished piece-3 polished)
      (hole piece-3 wide)
      (painted piece-3 black)
      (shaped piece-4 plate)
      (finished piece-4 smooth)
      (hole piece-4 wide)
      (painted piece-4 blue)
      (shaped piece-5 cylinder)
      (finished piece-5 smooth)
      (hole piece-5 wide)
      (painted piece-5 red)
      (shaped piece-6 cylinder)
      (finished piece-6 smooth)
      (hole piece-6 wide)
      (painted piece-6 blue))))
