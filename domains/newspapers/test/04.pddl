; Places: 5; readers: 3; titles: 2; papers: 3.
(define (problem newspapers-test-04)
  (:domain newspapers)
  (:objects
    press-house house-1 house-2 house-3 house-4 - place
    paper-1 paper-2 paper-3 - paper
    herald courier - title)
  (:init
    (at house-1)
    (press press-house)
    (stacked paper-1) (issue paper-1 herald)
    (stacked paper-2) (issue paper-2 herald)
    (stacked paper-3) (issue paper-3 courier)
    (waiting house-1) (reads house-1 herald)
    (waiting house-2) (reads house-2 courier)
    (waiting house-3) (reads house-3 herald)
    (street press-house house-1) (street house-1 press-house)
    (street house-1 house-2) (street house-2 house-1)
    (street house-1 house-3) (street house-3 house-1)
    (street house-2 house-4) (street house-4 house-2))
  (:goal
    (and
      (satisfied house-1)
      (satisfied house-2)
      (satisfied house-3))))
