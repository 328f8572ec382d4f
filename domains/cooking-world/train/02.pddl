; Rooms: 2; ingredients: 2.
(define (problem cooking-world-train-02)
  (:domain cooking-world)
  (:objects
    kitchen hall - room
    stove oven grill - appliance
    fridge worktop cupboard drawer table shelf chest - spot
    trout plum celery - food
    knife - knife
    cookbook - book)
  (:init
    (agent-at hall) (visited hall)
    (leads kitchen hall west) (leads hall kitchen east)
    (kitchen kitchen)
    (stands stove kitchen) (gives stove fried)
    (stands oven kitchen) (gives oven roasted)
    (stands grill kitchen) (gives grill grilled)
    (stands fridge kitchen) (lid fridge) (shut fridge)
    (stands worktop kitchen)
    (stands cupboard kitchen) (lid cupboard) (shut cupboard)
    (stands drawer kitchen) (lid drawer) (shut drawer)
    (stands table kitchen)
    (stands shelf hall)
    (stands chest hall) (lid chest) (shut chest)
    (in knife worktop) (in cookbook worktop)
    (in trout drawer) (raw trout) (whole trout)
    (in plum drawer) (raw plum) (whole plum)
    (in celery shelf) (raw celery) (whole celery)
    (wanted trout) (wants-whole trout) (wants-heat trout fried)
    (wanted plum) (wants-shape plum sliced) (wants-heat plum grilled))
  (:goal
    (eaten)))
