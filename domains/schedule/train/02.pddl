; 1 piece with 2 wishes.
(define (problem schedule-train-02)
  (:domain schedule)
  (:objects
    piece-1 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 wedge) (finished piece-1 smooth) (painted piece-1 blue) (hole piece-1 wide))
  (:goal
    (and
      (shaped piece-1 plate)
      (painted piece-1 blue))))
