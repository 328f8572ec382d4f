; 4 balls, 2 rooms (row), 1 grippers.
(define (problem gripper-train-04)
  (:domain gripper)
  (:objects
    hall kitchen - room
    ball-1 ball-2 ball-3 ball-4 - ball
    left - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (robot-in hall)
    (free left)
    (in ball-1 hall) (in ball-2 hall) (in ball-3 hall) (in ball-4 hall))
  (:goal
    (and
      (in ball-1 kitchen)
      (in ball-2 kitchen)
      (in ball-3 kitchen)
      (in ball-4 kitchen))))
