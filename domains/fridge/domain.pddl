; Fridge: worn compressors are exchanged for new ones. A fridge must be off before its screws are
; touched, all screws of a compressor are loose when it comes off or goes on, and all are tight
; before the fridge may run.
(define (domain fridge)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions
    :existential-preconditions :universal-preconditions)
  (:types fridge compressor screw)
  (:predicates
    (fits ?screw - screw ?compressor - compressor)
    (new ?compressor - compressor)
    (attached ?compressor - compressor ?fridge - fridge)
    (tight ?screw - screw)
    (running ?fridge - fridge))

  (:action switch-off
    :parameters (?fridge - fridge)
    :precondition (running ?fridge)
    :effect (not (running ?fridge)))

  (:action switch-on
    :parameters (?fridge - fridge)
    :precondition (and
      (not (running ?fridge))
      (exists (?compressor - compressor)
        (and
          (attached ?compressor ?fridge)
          (forall (?screw - screw)
            (imply
              (fits ?screw ?compressor)
              (tight ?screw))))))
    :effect (running ?fridge))

  (:action loosen
    :parameters (?screw - screw)
    :precondition (and
      (tight ?screw)
      (not (exists (?fridge - fridge ?compressor - compressor)
          (and
            (fits ?screw ?compressor)
            (attached ?compressor ?fridge)
            (running ?fridge)))))
    :effect (not (tight ?screw)))

  (:action tighten
    :parameters (?screw - screw)
    :precondition (not (tight ?screw))
    :effect (tight ?screw))

  (:action detach
    :parameters (?compressor - compressor ?fridge - fridge)
    :precondition (and
      (attached ?compressor ?fridge)
      (not (running ?fridge))
      (forall (?screw - screw)
        (imply
          (fits ?screw ?compressor)
          (not (tight ?screw)))))
    :effect (not (attached ?compressor ?fridge)))

  (:action attach
    :parameters (?compressor - compressor ?fridge - fridge)
    :precondition (and
      (not (running ?fridge))
      (forall (?other - compressor) (not (attached ?other ?fridge)))
      (forall (?other - fridge) (not (attached ?compressor ?other)))
      (forall (?screw - screw)
        (imply
          (fits ?screw ?compressor)
          (not (tight ?screw)))))
    :effect (attached ?compressor ?fridge)))
