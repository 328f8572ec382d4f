; 1 piece with 3 wishes.
(define (problem schedule-test-02)
  (:domain schedule)
  (:objects
    piece-1 - piece
    cube wedge - shape
    narrow wide - width
    red blue black - color)
  (:init
    (shaped piece-1 plate) (finished piece-1 rough) (hole piece-1 narrow))
  (:goal
    (and
      (shaped piece-1 plate)
      (hole piece-1 narrow)
      (painted piece-1 red))))
