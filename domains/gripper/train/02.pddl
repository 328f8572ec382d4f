; 2 balls, 2 rooms (row), 2 grippers.
(define (problem gripper-train-02)
  (:domain gripper)
  (:objects
    hall kitchen - room
    ball-1 ball-2 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (robot-in hall)
    (free left) (free right)
    (in ball-1 hall) (in ball-2 hall))
  (:goal
    (and
      (in ball-1 kitchen)
      (in ball-2 kitchen))))
