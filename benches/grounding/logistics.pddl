(define (domain logistics)
  (:requirements :strips :typing :negative-preconditions)
  (:types city place thing - object
          airport - place
          parcel vehicle - thing
          truck plane - vehicle)
  (:predicates (within ?place - place ?city - city)
               (at ?thing - thing ?place - place)
               (in ?parcel - parcel ?vehicle - vehicle))

  (:action load
    :parameters (?parcel - parcel ?vehicle - vehicle ?place - place)
    :precondition (and (at ?vehicle ?place) (at ?parcel ?place))
    :effect (and (not (at ?parcel ?place)) (in ?parcel ?vehicle)))

  (:action unload
    :parameters (?parcel - parcel ?vehicle - vehicle ?place - place)
    :precondition (and (at ?vehicle ?place) (in ?parcel ?vehicle))
    :effect (and (not (in ?parcel ?vehicle)) (at ?parcel ?place)))

  (:action drive
    :parameters (?truck - truck ?from ?to - place ?city - city)
    :precondition (and (at ?truck ?from) (within ?from ?city) (within ?to ?city) (not (at ?truck ?to)))
    :effect (and (not (at ?truck ?from)) (at ?truck ?to)))

  (:action fly
    :parameters (?plane - plane ?from ?to - airport)
    :precondition (and (at ?plane ?from) (not (at ?plane ?to)))
    :effect (and (not (at ?plane ?from)) (at ?plane ?to))))
