; 10 balls, 5 rooms (star), 3 grippers.
(define (problem gripper-train-09)
  (:domain gripper)
  (:objects
    hall kitchen parlour study attic - room
    ball-1 ball-2 ball-3 ball-4 ball-5 ball-6 ball-7 ball-8 ball-9 ball-10 - ball
    left right middle - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (door hall parlour) (door parlour hall)
    (door hall study) (door study hall)
    (door hall attic) (door attic hall)
    (robot-in study)
    (free left) (free right) (free middle)
    (in ball-5 hall)
    (in ball-10 kitchen)
    (in ball-1 parlour) (in ball-9 parlour)
    (in ball-3 study) (in ball-7 study) (in ball-8 study)
    (in ball-2 attic) (in ball-4 attic) (in ball-6 attic))
  (:goal
    (and
      (in ball-1 attic)
      (in ball-2 kitchen)
      (in ball-3 parlour)
      (in ball-4 kitchen)
      (in ball-5 attic)
      (in ball-6 study)
      (in ball-7 kitchen)
      (in ball-8 kitchen)
      (in ball-9 attic)
      (in ball-10 parlour))))
