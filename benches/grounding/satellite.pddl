(define (domain satellite)
  (:requirements :strips :typing :negative-preconditions)
  (:types satellite instrument mode direction)
  (:predicates (aboard ?instrument - instrument ?satellite - satellite)
               (supports ?instrument - instrument ?mode - mode)
               (reference ?instrument - instrument ?direction - direction)
               (pointing ?satellite - satellite ?direction - direction)
               (power-free ?satellite - satellite)
               (powered ?instrument - instrument)
               (calibrated ?instrument - instrument)
               (image ?direction - direction ?mode - mode))

  (:action turn
    :parameters (?satellite - satellite ?to ?from - direction)
    :precondition (and (pointing ?satellite ?from) (not (pointing ?satellite ?to)))
    :effect (and (not (pointing ?satellite ?from)) (pointing ?satellite ?to)))

  (:action switch-on
    :parameters (?satellite - satellite ?instrument - instrument)
    :precondition (and (aboard ?instrument ?satellite) (power-free ?satellite))
    :effect (and (not (power-free ?satellite)) (not (calibrated ?instrument)) (powered ?instrument)))

  (:action switch-off
    :parameters (?satellite - satellite ?instrument - instrument)
    :precondition (and (aboard ?instrument ?satellite) (powered ?instrument))
    :effect (and (not (powered ?instrument)) (power-free ?satellite)))

  (:action calibrate
    :parameters (?satellite - satellite ?instrument - instrument ?direction - direction)
    :precondition (and (aboard ?instrument ?satellite) (powered ?instrument) (reference ?instrument ?direction)
                       (pointing ?satellite ?direction))
    :effect (calibrated ?instrument))

  (:action take-image
    :parameters (?satellite - satellite ?instrument - instrument ?mode - mode ?direction - direction)
    :precondition (and (aboard ?instrument ?satellite) (supports ?instrument ?mode) (calibrated ?instrument)
                       (powered ?instrument) (pointing ?satellite ?direction))
    :effect (image ?direction ?mode)))
