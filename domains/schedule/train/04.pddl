; 2 pieces with 4 wishes.
(define (problem schedule-train-04)
  (:domain schedule)
  (:objects
    piece-1 piece-2 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 plate) (finished piece-1 smooth) (painted piece-1 blue)
    (hole piece-1 narrow)
    (shaped piece-2 cylinder) (finished piece-2 rough) (hole piece-2 wide))
  (:goal
    (and
      (finished piece-1 polished)
      (hole piece-1 wide)
      (finished piece-2 polished)
      (painted piece-2 blue))))
