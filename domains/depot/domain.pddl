; Depot: trucks carry crates between depots, hoists stack them on pallets and on one another.
(define (domain depot)
  (:requirements :strips :typing)
  (:types
    place locatable - object
    truck hoist surface - locatable
    pallet crate - surface)
  (:predicates
    (at ?thing - locatable ?place - place)
    (on ?crate - crate ?surface - surface)
    (in ?crate - crate ?truck - truck)
    (lifting ?hoist - hoist ?crate - crate)
    (available ?hoist - hoist)
    (clear ?surface - surface)
    (road ?from ?to - place))

  (:action drive
    :parameters (?truck - truck ?from ?to - place)
    :precondition (and
      (at ?truck ?from)
      (road ?from ?to))
    :effect (and
      (at ?truck ?to)
      (not (at ?truck ?from))))

  (:action lift
    :parameters (?hoist - hoist ?crate - crate ?surface - surface ?place - place)
    :precondition (and
      (at ?hoist ?place)
      (available ?hoist)
      (at ?crate ?place)
      (on ?crate ?surface)
      (clear ?crate))
    :effect (and
      (lifting ?hoist ?crate)
      (clear ?surface)
      (not (available ?hoist))
      (not (at ?crate ?place))
      (not (on ?crate ?surface))
      (not (clear ?crate))))

  (:action drop
    :parameters (?hoist - hoist ?crate - crate ?surface - surface ?place - place)
    :precondition (and
      (at ?hoist ?place)
      (lifting ?hoist ?crate)
      (at ?surface ?place)
      (clear ?surface))
    :effect (and
      (available ?hoist)
      (at ?crate ?place)
      (on ?crate ?surface)
      (clear ?crate)
      (not (lifting ?hoist ?crate))
      (not (clear ?surface))))

  (:action load
    :parameters (?hoist - hoist ?crate - crate ?truck - truck ?place - place)
    :precondition (and
      (at ?hoist ?place)
      (at ?truck ?place)
      (lifting ?hoist ?crate))
    :effect (and
      (available ?hoist)
      (in ?crate ?truck)
      (not (lifting ?hoist ?crate))))

  (:action unload
    :parameters (?hoist - hoist ?crate - crate ?truck - truck ?place - place)
    :precondition (and
      (at ?hoist ?place)
      (at ?truck ?place)
      (available ?hoist)
      (in ?crate ?truck))
    :effect (and
      (lifting ?hoist ?crate)
      (not (available ?hoist))
      (not (in ?crate ?truck)))))
