; Rooms: 3; ingredients: 3.
(define (problem cooking-world-train-03)
  (:domain cooking-world)
  (:objects
    kitchen hall pantry - room
    stove oven grill - appliance
    fridge worktop cupboard drawer table shelf chest bench trunk - spot
    onion kale aubergine trout plum - food
    knife - knife
    cookbook - book)
  (:init
    (agent-at pantry) (visited pantry)
    (leads kitchen hall north) (leads hall kitchen south)
    (door kitchen hall) (door hall kitchen) (closed kitchen hall) (closed hall kitchen)
    (leads hall pantry east) (leads pantry hall west)
    (door hall pantry) (door pantry hall) (closed hall pantry) (closed pantry hall)
    (kitchen kitchen)
    (stands stove kitchen) (gives stove fried)
    (stands oven kitchen) (gives oven roasted)
    (stands grill pantry) (gives grill grilled)
    (stands fridge kitchen) (lid fridge) (shut fridge)
    (stands worktop kitchen)
    (stands cupboard kitchen) (lid cupboard) (shut cupboard)
    (stands drawer kitchen) (lid drawer) (shut drawer)
    (stands table kitchen)
    (stands shelf hall)
    (stands chest hall) (lid chest) (shut chest)
    (stands bench pantry)
    (stands trunk pantry) (lid trunk) (shut trunk)
    (in knife drawer) (in cookbook table)
    (in onion chest) (raw onion) (whole onion)
    (in kale cupboard) (raw kale) (whole kale)
    (in aubergine drawer) (raw aubergine) (whole aubergine)
    (in trout shelf) (raw trout) (whole trout)
    (in plum fridge) (raw plum) (whole plum)
    (wanted onion) (wants-shape onion diced) (wants-raw onion)
    (wanted kale) (wants-shape kale diced) (wants-heat kale roasted)
    (wanted aubergine) (wants-shape aubergine sliced) (wants-raw aubergine))
  (:goal
    (eaten)))
