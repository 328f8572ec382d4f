(define (domain network)
  (:requirements :adl :derived-predicates)
  (:types bus line - object
          source - bus)
  (:predicates (ends ?line - line ?one ?other - bus)
               (faulty ?line - line)
               (closed ?line - line)
               (feeds ?source - source ?bus - bus)
               (fed ?bus - bus)
               (shorted ?source - source))

  (:derived (feeds ?source - source ?bus - bus)
    (or (= ?source ?bus)
        (exists (?line - line ?other - bus)
          (and (ends ?line ?other ?bus) (closed ?line) (feeds ?source ?other)))))

  (:derived (fed ?bus - bus)
    (exists (?source - source) (feeds ?source ?bus)))

  (:derived (shorted ?source - source)
    (exists (?line - line ?one ?other - bus)
      (and (faulty ?line) (ends ?line ?one ?other) (closed ?line) (feeds ?source ?one))))

  (:action open
    :parameters (?line - line)
    :precondition (closed ?line)
    :effect (not (closed ?line)))

  (:action close
    :parameters (?line - line ?one ?other - bus)
    :precondition (and (ends ?line ?one ?other) (not (closed ?line)) (fed ?one)
                       (forall (?source - source) (not (shorted ?source))))
    :effect (closed ?line)))
