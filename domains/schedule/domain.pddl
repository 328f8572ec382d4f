; Schedule: pieces of metal pass through the machines of a workshop. In one shift a machine takes
; one piece and a piece visits one machine. Many a machine spoils what another one has done.
(define (domain schedule)
  (:requirements :strips :typing :negative-preconditions :conditional-effects)
  (:types piece machine shape surface width color)
  (:constants
    lathe forge grinder polisher drill-press sprayer - machine
    cylinder plate - shape
    rough smooth polished - surface)
  (:predicates
    (busy ?machine - machine)
    (at-work ?piece - piece)
    (hot ?piece - piece)
    (shaped ?piece - piece ?shape - shape)
    (finished ?piece - piece ?surface - surface)
    (hole ?piece - piece ?width - width)
    (painted ?piece - piece ?color - color))

  (:action turn
    :parameters (?piece - piece)
    :precondition (and
      (not (busy lathe))
      (not (at-work ?piece))
      (not (hot ?piece)))
    :effect (and
      (busy lathe)
      (at-work ?piece)
      (shaped ?piece cylinder)
      (finished ?piece rough)
      (forall (?shape - shape)
        (when
          (shaped ?piece ?shape)
          (not (shaped ?piece ?shape))))
      (forall (?surface - surface)
        (when
          (finished ?piece ?surface)
          (not (finished ?piece ?surface))))
      (forall (?color - color)
        (when
          (painted ?piece ?color)
          (not (painted ?piece ?color))))))

  (:action hammer
    :parameters (?piece - piece)
    :precondition (and
      (not (busy forge))
      (not (at-work ?piece)))
    :effect (and
      (busy forge)
      (at-work ?piece)
      (hot ?piece)
      (shaped ?piece plate)
      (finished ?piece rough)
      (forall (?shape - shape)
        (when
          (shaped ?piece ?shape)
          (not (shaped ?piece ?shape))))
      (forall (?surface - surface)
        (when
          (finished ?piece ?surface)
          (not (finished ?piece ?surface))))
      (forall (?width - width)
        (when
          (hole ?piece ?width)
          (not (hole ?piece ?width))))
      (forall (?color - color)
        (when
          (painted ?piece ?color)
          (not (painted ?piece ?color))))))

  (:action drill
    :parameters (?piece - piece ?width - width)
    :precondition (and
      (not (busy drill-press))
      (not (at-work ?piece))
      (not (hot ?piece))
      (not (hole ?piece ?width)))
    :effect (and
      (busy drill-press)
      (at-work ?piece)
      (hole ?piece ?width)
      (when
        (finished ?piece polished)
        (and
          (finished ?piece smooth)
          (not (finished ?piece polished))))))

  (:action grind
    :parameters (?piece - piece)
    :precondition (and
      (not (busy grinder))
      (not (at-work ?piece)))
    :effect (and
      (busy grinder)
      (at-work ?piece)
      (finished ?piece smooth)
      (forall (?surface - surface)
        (when
          (finished ?piece ?surface)
          (not (finished ?piece ?surface))))
      (forall (?color - color)
        (when
          (painted ?piece ?color)
          (not (painted ?piece ?color))))))

  (:action polish
    :parameters (?piece - piece)
    :precondition (and
      (not (busy polisher))
      (not (at-work ?piece))
      (not (hot ?piece))
      (finished ?piece smooth))
    :effect (and
      (busy polisher)
      (at-work ?piece)
      (finished ?piece polished)
      (not (finished ?piece smooth))))

  (:action paint
    :parameters (?piece - piece ?color - color)
    :precondition (and
      (not (busy sprayer))
      (not (at-work ?piece))
      (not (hot ?piece))
      (not (finished ?piece rough)))
    :effect (and
      (busy sprayer)
      (at-work ?piece)
      (painted ?piece ?color)
      (forall (?old - color)
        (when
          (painted ?piece ?old)
          (not (painted ?piece ?old))))))

  (:action next-shift
    :parameters ()
    :precondition (and)
    :effect (and
      (forall (?machine - machine)
        (when
          (busy ?machine)
          (not (busy ?machine))))
      (forall (?piece - piece)
        (and
          (when
            (at-work ?piece)
            (not (at-work ?piece)))
          (when
            (and
              (hot ?piece)
              (not (at-work ?piece)))
            (not (hot ?piece))))))))
