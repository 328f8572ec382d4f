; 1 piece with 2 wishes.
(define (problem schedule-train-01)
  (:domain schedule)
  (:objects
    piece-1 - piece
    cube wedge - shape
    narrow wide - width
    red blue - color)
  (:init
    (shaped piece-1 cube) (finished piece-1 rough) (hole piece-1 narrow))
  (:goal
    (and
      (shaped piece-1 cylinder)
      (finished piece-1 polished))))
