; 1 piece with 4 wishes.
(define (problem schedule-test-03)
  (:domain schedule)
  (:objects
    piece-1 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 wedge) (finished piece-1 smooth) (painted piece-1 red) (hole piece-1 wide))
  (:goal
    (and
      (shaped piece-1 plate)
      (finished piece-1 smooth)
      (hole piece-1 narrow)
      (painted piece-1 red))))
