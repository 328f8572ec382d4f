; 3 pieces with 9 wishes.
(define (problem schedule-train-06)
  (:domain schedule)
  (:objects
    piece-1 piece-2 piece-3 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 plate) (finished piece-1 polished) (hole piece-1 wide)
    (shaped piece-2 plate) (finished piece-2 polished) (painted piece-2 blue)
    (hole piece-2 narrow)
    (shaped piece-3 plate) (finished piece-3 rough) (hole piece-3 narrow))
  (:goal
    (and
      (shaped piece-1 cylinder)
      (finished piece-1 smooth)
      (hole piece-1 wide)
      (finished piece-2 polished)
      (hole piece-2 wide)
      (painted piece-2 black)
      (shaped piece-3 cylinder)
      (finished piece-3 polished)
      (hole piece-3 narrow))))
