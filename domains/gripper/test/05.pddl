; 6 balls, 4 rooms (row), 2 grippers.
(define (problem gripper-test-05)
  (:domain gripper)
  (:objects
    hall kitchen parlour study - room
    ball-1 ball-2 ball-3 ball-4 ball-5 ball-6 - ball
    left right - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (door kitchen parlour) (door parlour kitchen)
    (door parlour study) (door study parlour)
    (robot-in hall)
    (free left) (free right)
    (in ball-3 parlour) (in ball-5 parlour)
    (in ball-1 study) (in ball-2 study) (in ball-4 study) (in ball-6 study))
  (:goal
    (and
      (in ball-1 parlour)
      (in ball-2 parlour)
      (in ball-3 hall)
      (in ball-4 parlour)
      (in ball-5 kitchen)
      (in ball-6 kitchen))))
