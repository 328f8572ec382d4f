; 5 pieces with 15 wishes.
(define (problem schedule-test-07)
  (:domain schedule)
  (:objects
    piece-1 piece-2 piece-3 piece-4 piece-5 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 wedge) (finished piece-1 rough) (hole piece-1 wide)
    (shaped piece-2 wedge) (finished piece-2 polished)
    (shaped piece-3 cylinder) (finished piece-3 smooth) (hole piece-3 wide)
    (shaped piece-4 plate) (finished piece-4 rough) (hole piece-4 wide)
    (shaped piece-5 plate) (finished piece-5 rough) (hole piece-5 wide))
  (:goal
    (and
      (shaped piece-1 plate)
      (hole piece-1 wide)
      (painted piece-1 red)
      (shaped piece-2 cylinder)
      (finished piece-2 smooth)
      (hole piece-2 wide)
      (shaped piece-3 cylinder)
      (finished piece-3 polished)
      (painted piece-3 black)
      (shaped piece-4 plate)
      (finished piece-4 smooth)
      (painted piece-4 red)
      (shaped piece-5 cylinder)
      (finished piece-5 smooth)
      (hole piece-5 narrow))))
