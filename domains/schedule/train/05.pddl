; 2 pieces with 6 wishes.
(define (problem schedule-train-05)
  (:domain schedule)
  (:objects
    piece-1 piece-2 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 cylinder) (finished piece-1 polished) (hole piece-1 narrow)
    (shaped piece-2 cube) (finished piece-2 rough))
  (:goal
    (and
      (shaped piece-1 cylinder)
      (finished piece-1 smooth)
      (painted piece-1 black)
      (finished piece-2 polished)
      (hole piece-2 narrow)
      (painted piece-2 red))))
