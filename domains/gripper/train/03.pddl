; 3 balls, 2 rooms (row), 2 grippers.
(define (problem gripper-train-03)
  (:domain gripper)
  (:objects
    hall kitchen - room
    ball-1 ball-2 ball-3 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (robot-in hall)
    (free left) (free right)
    (in ball-1 hall) (in ball-2 hall) (in ball-3 hall))
  (:goal
    (and
      (in ball-1 kitchen)
      (in ball-2 kitchen)
      (in ball-3 kitchen))))
