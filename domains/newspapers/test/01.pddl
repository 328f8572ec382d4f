; Places: 2; readers: 1; titles: 1; papers: 2.
(define (problem newspapers-test-01)
  (:domain newspapers)
  (:objects
    press-house house-1 - place
    paper-1 paper-2 - paper
    herald - title)
  (:init
    (at press-house)
    (press press-house)
    (stacked paper-1) (issue paper-1 herald)
    (stacked paper-2) (issue paper-2 herald)
    (waiting house-1) (reads house-1 herald)
    (street press-house house-1) (street house-1 press-house))
  (:goal
    (satisfied house-1)))
