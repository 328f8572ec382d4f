; Places: 5; readers: 3; titles: 1; papers: 4.
(define (problem newspapers-train-04)
  (:domain newspapers)
  (:objects
    press-house house-1 house-2 house-3 house-4 - place
    paper-1 paper-2 paper-3 paper-4 - paper
    herald - title)
  (:init
    (at house-1)
    (press press-house)
    (stacked paper-1) (issue paper-1 herald)
    (stacked paper-2) (issue paper-2 herald)
    (stacked paper-3) (issue paper-3 herald)
    (stacked paper-4) (issue paper-4 herald)
    (waiting house-1) (reads house-1 herald)
    (waiting house-2) (reads house-2 herald)
    (waiting house-4) (reads house-4 herald)
    (street press-house house-1) (street house-1 press-house)
    (street house-1 house-2) (street house-2 house-1)
    (street house-2 house-3) (street house-3 house-2)
    (street press-house house-4) (street house-4 press-house)
    (street house-2 house-4) (street house-4 house-2))
  (:goal
    (and
      (satisfied house-1)
      (satisfied house-2)
      (satisfied house-4))))
