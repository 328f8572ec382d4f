; Places: 3; readers: 2; titles: 1; papers: 2.
(define (problem newspapers-test-02)
  (:domain newspapers)
  (:objects
    press-house house-1 house-2 - place
    paper-1 paper-2 - paper
    herald - title)
  (:init
    (at house-1)
    (press press-house)
    (stacked paper-1) (issue paper-1 herald)
    (stacked paper-2) (issue paper-2 herald)
    (waiting house-1) (reads house-1 herald)
    (waiting house-2) (reads house-2 herald)
    (street press-house house-1) (street house-1 press-house)
    (street press-house house-2) (street house-2 press-house)
    (street house-1 house-2) (street house-2 house-1))
  (:goal
    (and
      (satisfied house-1)
      (satisfied house-2))))
