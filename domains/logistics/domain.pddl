; Logistics: trucks carry packages within a city, planes from one city's airport to another's.
(define (domain logistics)
  (:requirements :strips :typing)
  (:types
    city place thing - object
    airport - place
    package vehicle - thing
    truck plane - vehicle)
  (:predicates
    (in-city ?place - place ?city - city)
    (at ?thing - thing ?place - place)
    (in ?package - package ?vehicle - vehicle))

  (:action load-truck
    :parameters (?package - package ?truck - truck ?place - place)
    :precondition (and
      (at ?truck ?place)
      (at ?package ?place))
    :effect (and
      (in ?package ?truck)
      (not (at ?package ?place))))

  (:action unload-truck
    :parameters (?package - package ?truck - truck ?place - place)
    :precondition (and
      (at ?truck ?place)
      (in ?package ?truck))
    :effect (and
      (at ?package ?place)
      (not (in ?package ?truck))))

  (:action load-plane
    :parameters (?package - package ?plane - plane ?airport - airport)
    :precondition (and
      (at ?plane ?airport)
      (at ?package ?airport))
    :effect (and
      (in ?package ?plane)
      (not (at ?package ?airport))))

  (:action unload-plane
    :parameters (?package - package ?plane - plane ?airport - airport)
    :precondition (and
      (at ?plane ?airport)
      (in ?package ?plane))
    :effect (and
      (at ?package ?airport)
      (not (in ?package ?plane))))

  (:action drive
    :parameters (?truck - truck ?from ?to - place ?city - city)
    :precondition (and
      (at ?truck ?from)
      (in-city ?from ?city)
      (in-city ?to ?city))
    :effect (and
      (not (at ?truck ?from))
      (at ?truck ?to)))

  (:action fly
    :parameters (?plane - plane ?from ?to - airport)
    :precondition (at ?plane ?from)
    :effect (and
      (not (at ?plane ?from))
      (at ?plane ?to))))
