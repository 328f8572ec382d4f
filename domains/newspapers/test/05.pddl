; Places: 7; readers: 5; titles: 2; papers: 6.
(define (problem newspapers-test-05)
  (:domain newspapers)
  (:objects
    press-house house-1 house-2 house-3 house-4 house-5 house-6 - place
    paper-1 paper-2 paper-3 paper-4 paper-5 paper-6 - paper
    herald courier - title)
  (:init
    (at house-6)
    (press press-house)
    (stacked paper-1) (issue paper-1 herald)
    (stacked paper-2) (issue paper-2 courier)
    (stacked paper-3) (issue paper-3 courier)
    (stacked paper-4) (issue paper-4 courier)
    (stacked paper-5) (issue paper-5 herald)
    (stacked paper-6) (issue paper-6 herald)
    (waiting house-1) (reads house-1 courier)
    (waiting house-2) (reads house-2 courier)
    (waiting house-4) (reads house-4 herald)
    (waiting house-5) (reads house-5 herald)
    (waiting house-6) (reads house-6 herald)
    (street press-house house-1) (street house-1 press-house)
    (street press-house house-2) (street house-2 press-house)
    (street house-2 house-3) (street house-3 house-2)
    (street house-2 house-4) (street house-4 house-2)
    (street press-house house-5) (street house-5 press-house)
    (street house-4 house-6) (street house-6 house-4)
    (street house-3 house-6) (street house-6 house-3))
  (:goal
    (and
      (satisfied house-1)
      (satisfied house-2)
      (satisfied house-4)
      (satisfied house-5)
      (satisfied house-6))))
