; 1 piece with 2 wishes.
(define (problem schedule-test-01)
  (:domain schedule)
  (:objects
    piece-1 - piece
    cube wedge - shape
    narrow wide - width
    red blue - color)
  (:init
    (shaped piece-1 cylinder) (finished piece-1 rough))
  (:goal
    (and
      (shaped piece-1 plate)
      (hole piece-1 wide))))
