; 14 balls, 6 rooms (row), 3 grippers.
(define (problem gripper-test-09)
  (:domain gripper)
  (:objects
    hall kitchen parlour study attic cellar - room
    ball-1 ball-2 ball-3 ball-4 ball-5 ball-6 ball-7 ball-8 ball-9 ball-10 ball-11 ball-12
    ball-13 ball-14 - ball
    left right middle - gripper)
  (:init
    (door hall kitchen) (door kitchen hall)
    (door kitchen parlour) (door parlour kitchen)
    (door parlour study) (door study parlour)
    (door study attic) (door attic study)
    (door attic cellar) (door cellar attic)
    (robot-in parlour)
    (free left) (free right) (free middle)
    (in ball-6 hall)
    (in ball-13 kitchen)
    (in ball-4 parlour) (in ball-9 parlour) (in ball-10 parlour) (in ball-14 parlour)
    (in ball-1 study) (in ball-3 study) (in ball-11 study)
    (in ball-2 attic) (in ball-5 attic) (in ball-7 attic) (in ball-8 attic)
    (in ball-12 cellar))
  (:goal
    (and
      (in ball-1 hall)
      (in ball-2 kitchen)
      (in ball-3 attic)
      (in ball-4 attic)
      (in ball-5 study)
      (in ball-6 cellar)
      (in ball-7 cellar)
      (in ball-8 kitchen)
      (in ball-9 cellar)
      (in ball-10 kitchen)
      (in ball-11 attic)
      (in ball-12 study)
      (in ball-13 attic)
      (in ball-14 hall))))
