; Places: 4; readers: 2; titles: 1; papers: 2.
(define (problem newspapers-train-03)
  (:domain newspapers)
  (:objects
    press-house house-1 house-2 house-3 - place
    paper-1 paper-2 - paper
    herald - title)
  (:init
    (at house-3)
    (press press-house)
    (stacked paper-1) (issue paper-1 herald)
    (stacked paper-2) (issue paper-2 herald)
    (waiting house-2) (reads house-2 herald)
    (waiting house-3) (reads house-3 herald)
    (street press-house house-1) (street house-1 press-house)
    (street press-house house-2) (street house-2 press-house)
    (street press-house house-3) (street house-3 press-house)
    (street house-1 house-2) (street house-2 house-1))
  (:goal
    (and
      (satisfied house-2)
      (satisfied house-3))))
