; 2 pieces with 6 wishes.
(define (problem schedule-test-04)
  (:domain schedule)
  (:objects
    piece-1 piece-2 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 plate) (finished piece-1 smooth) (painted piece-1 blue)
    (shaped piece-2 cube) (finished piece-2 smooth) (painted piece-2 blue) (hole piece-2 wide))
  (:goal
    (and
      (shaped piece-1 cylinder)
      (finished piece-1 polished)
      (hole piece-1 narrow)
      (shaped piece-2 cylinder)
      (hole piece-2 wide)
      (painted piece-2 blue))))
