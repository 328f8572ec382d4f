; 1 piece with 3 wishes.
(define (problem schedule-train-03)
  (:domain schedule)
  (:objects
    piece-1 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 cube) (finished piece-1 rough))
  (:goal
    (and
      (shaped piece-1 cylinder)
      (finished piece-1 smooth)
      (hole piece-1 narrow))))
