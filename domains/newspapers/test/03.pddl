; Places: 4; readers: 2; titles: 2; papers: 3.
(define (problem newspapers-test-03)
  (:domain newspapers)
  (:objects
    press-house house-1 house-2 house-3 - place
    paper-1 paper-2 paper-3 - paper
    herald courier - title)
  (:init
    (at house-2)
    (press press-house)
    (stacked paper-1) (issue paper-1 herald)
    (stacked paper-2) (issue paper-2 courier)
    (stacked paper-3) (issue paper-3 herald)
    (waiting house-2) (reads house-2 courier)
    (waiting house-3) (reads house-3 herald)
    (street press-house house-1) (street house-1 press-house)
    (street house-1 house-2) (street house-2 house-1)
    (street house-2 house-3) (street house-3 house-2))
  (:goal
    (and
      (satisfied house-2)
      (satisfied house-3))))
