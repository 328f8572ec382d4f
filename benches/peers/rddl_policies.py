"""A simple hand-written policy for each bundled RDDL environment.

A policy is a function of a `View` that returns the actions that differ from their defaults. `View` returns the values of fluents by
name and objects. In a POMDP, these are the observed fluents; before the first step, they are those of the initial state.
"""

import heapq
import math


class View:
    """The input of a policy: constants, objects, the state or its observation, and the policy's own memory."""

    def __init__(self, objects, constants, parameters, values):
        self.objects, self.constants, self.parameters = objects, constants, parameters
        self.values = dict(values)
        self.memory = {}

    def __call__(self, name, *objects):
        key = ground(name, *objects)
        return self.values[key] if key in self.values else self.constants[key]

    def see(self, observation):
        """Updates the values by a state, or by an observation, in which `x-seen` is the observation of `x`."""
        for key, value in observation.items():
            name, separator, objects = key.partition("___")
            self.values[name.removesuffix("-seen") + separator + objects] = value

    def pairs(self, name):
        """Returns the pairs of objects for which a fluent of two parameters holds."""
        if name not in self.memory:
            left, right = (self.objects[kind] for kind in self.parameters[name])
            self.memory[name] = [(a, b) for a in left for b in right if self(name, a, b)]
        return self.memory[name]


def ground(name, *objects):
    """Returns the name of a ground fluent in pyRDDLGym's spelling, which omits the `@` of enumeration values."""
    objects = [item.lstrip("@") for item in objects]
    return name + "___" + "__".join(objects) if objects else name


def clip(value, low, high):
    return max(low, min(high, value))


def turned(angle):
    """Returns an angle normalised to -pi to pi."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


def way(edges, start, goals, cost=lambda place: 1.0):
    """Returns the first place after `start` on the cheapest path to one of `goals`; `start` if it is a goal."""
    following = {}
    for a, b in edges:
        following.setdefault(a, []).append(b)
    done, open_list = set(), [(0.0, start, None)]
    while open_list:
        so_far, place, first = heapq.heappop(open_list)
        if place in goals:
            return first or start
        if place in done:
            continue
        done.add(place)
        for other in following.get(place, []):
            heapq.heappush(open_list, (so_far + cost(other), other, first or other))
    return None


def cartpole_force(v, c):
    return v("position", c) + 2 * v("velocity", c) + 40 * v("angle", c) + 12 * v("spin", c)


def cartpole_continuous(v):
    limit = {c: v("FORCE-LIMIT", c) for c in v.objects["cart"]}
    return {ground("push", c): clip(cartpole_force(v, c), -f, f) for c, f in limit.items() if not v("lost", c)}


def cartpole_discrete(v):
    return {ground("push-right", c): True for c in v.objects["cart"] if cartpole_force(v, c) > 0 and not v("lost", c)}


def mountain_car(v):
    rocking = [c for c in v.objects["car"] if not v("arrived", c)]
    return {ground("throttle", c): 1.0 if v("velocity", c) >= 0 else -1.0 for c in rocking}


def racing_car(v):
    gate, limit = v("next-gate"), v("FORCE-LIMIT")
    dx, dy = v("GATE-X", gate) - v("x"), v("GATE-Y", gate) - v("y")
    distance = math.hypot(dx, dy) or 1.0
    speed = min(1.2, 0.3 + 0.5 * distance)
    force = {"x": speed * dx / distance - v("x-velocity"), "y": speed * dy / distance - v("y-velocity")}
    return {f"{axis}-force": clip(2.0 * f, -limit, limit) for axis, f in force.items()}


def fly(v, a):
    """Returns throttle, turn and climb of an aircraft, each from -1 to 1."""
    dx, dy, dz = (v(f"TARGET-{k.upper()}", a) - v(k, a) for k in "xyz")
    distance = math.hypot(dx, dy)
    off = turned(math.atan2(dy, dx) - v("heading", a))
    throttle = 1.0 if distance > 150 else -1.0
    return throttle, clip(1.5 * off - v("roll", a), -1.0, 1.0), clip(dz / max(20.0, 0.3 * distance) / 0.3, -1.0, 1.0)


def uav(v, kinds):
    actions = {}
    for a in v.objects["aircraft"]:
        if v("FLOWN", a):
            for name, kind, value in zip(("throttle", "turn", "climb"), kinds, fly(v, a)):
                actions[ground(name, a)] = kind(value)
    return {name: value for name, value in actions.items() if value}


def elevators(v):
    actions, claimed = {}, set()
    floors = v.objects["floor"]
    for e in v.objects["elevator"]:
        here = next(i for i, f in enumerate(floors) if v("at", e, f))
        riding, space = v("riding", e), v("CAPACITY", e) - v("riding", e)
        hall, waiting = v("HALL", floors[here]), v("waiting", floors[here])
        calls = [i for i, f in enumerate(floors) if v("waiting", f) and not v("HALL", f) and i not in claimed]
        if v("open", e):
            stays = (hall and riding) or (not hall and waiting and space)
            order = None if stays else "close-doors"
        elif (hall and riding) or (not hall and waiting and space and here not in claimed):
            order = "open-doors"
        elif riding and (not space or not any(i > here for i in calls)):
            order = "go-down"
        elif calls:
            order = "go-up" if max(calls) > here else "go-down"
            claimed.add(max(calls))
        else:
            order = None
        claimed.add(here)
        if order:
            actions[ground(order, e)] = True
    return actions


def mars_rover(v):
    actions, claimed = {}, set()
    for r in v.objects["rover"]:
        def distance(m):
            return math.hypot(v("MINERAL-X", m) - v("x", r), v("MINERAL-Y", m) - v("y", r))
        left = [m for m in v.objects["mineral"] if not v("dug-up", m) and m not in claimed]
        if not left:
            continue
        target = min(left, key=distance)
        claimed.add(target)
        if distance(target) <= v("REACH", target):
            actions[ground("dig", r)] = True
        limit = min(v("POWER-LIMIT", r), 0.15 if v("charge", r) < 1.0 else 0.6)
        for axis in "xy":
            gap = v(f"MINERAL-{axis.upper()}", target) - v(axis, r)
            actions[ground(f"{axis}-power", r)] = clip(0.5 * gap - 0.8 * v(f"{axis}-velocity", r), -limit, limit)
    return actions


def outputs(v):
    """Returns the output of each unit: the minimum of every unit, with the remaining demand assigned to the cheapest units."""
    units = sorted(v.objects["unit"], key=lambda u: v("FUEL-COST", u))
    demand = v("BASE-DEMAND") + v("WEATHER-DEMAND") * (v("temperature") - v("MILD")) ** 2
    missing = 1.05 * demand - sum(v("MIN-OUTPUT", u) for u in units)
    asked = {}
    for u in units:
        more = clip(missing, 0.0, v("MAX-OUTPUT", u) - v("MIN-OUTPUT", u))
        missing -= more
        asked[u] = v("MIN-OUTPUT", u) + more
    return asked


def power_continuous(v):
    return {ground("give", u): output for u, output in outputs(v).items()}


def power_discrete(v):
    settings = {u: math.ceil(output / v("MAX-OUTPUT", u) * v("LEVELS", u) - 1e-9) for u, output in outputs(v).items()}
    return {ground("setting", u): setting for u, setting in settings.items()}


def recommender_system(v):
    offered = [i for i in v.objects["item"] if v("heart", v("MADE-BY", i)) > 0]
    actions = {}
    for c in v.objects["consumer"]:
        best = max(offered, key=lambda i: (0.5 + v("QUALITY", i)) / (
            1 + math.exp(1 - v("interest", c, v("TOPIC", i)) - v("QUALITY", i))), default=None)
        if best:
            actions[ground("recommend", c, best)] = True
    return actions


def fire_fighting(v):
    burning = {b for b in v.objects["block"] if v("fire", b) > 0}
    actions = {}
    for k in v.objects["crew"]:
        here = v("at", k)
        if here in burning:
            actions[ground("douse", k)] = True
        elif burning:
            step = way(v.pairs("STREET"), here, burning)
            actions[ground("move", k, step)] = True
            if step in burning and len(burning) > 1:
                burning.discard(step)
    return actions


def supply_chain(v):
    left, actions, wanted = v("factory-stock"), {}, 0
    for w in sorted(v.objects["warehouse"], key=lambda w: v("stock", w)):
        target = min(v("ROOM", w), round(2.2 * v("MEAN-DEMAND", w)) + 1)
        ship = clip(target - v("stock", w), 0, left)
        left -= ship
        wanted += max(0, target - v("stock", w))
        if ship:
            actions[ground("ship", w)] = ship
    mean = sum(v("MEAN-DEMAND", w) for w in v.objects["warehouse"])
    make = clip(round(2.0 * mean) - left, 0, v("MAKE-LIMIT"))
    return actions | ({"make": make} if make else {})


def traffic(v):
    actions = {}
    for j in v.objects["junction"]:
        roads = [r for r in v.objects["road"] if v("ENDS-AT", r, j)]
        queues = {True: 0.0, False: 0.0}
        for r in roads:
            queues[bool(v("FIRST-PHASE", r))] += v("queue", r)
        green = bool(v("first-green", j))
        if v("since", j) >= max(v("SHORTEST", j), 4) and queues[not green] > 1.2 * queues[green] + 1:
            actions[ground("switch-phase", j)] = True
    return actions


def allowed(v):
    return v.memory["max-nondef-actions"]


def sysadmin(v):
    down = [c for c in v.objects["computer"] if not v("running", c)]
    down.sort(key=lambda c: -sum(a == c for a, b in v.pairs("FEEDS")))
    return {ground("reboot", c): True for c in down[:allowed(v)]}


def life_after(v, alive, brought):
    counts = {}
    for a, b in v.pairs("BESIDE"):
        counts[a] = counts.get(a, 0) + (b in alive)
    return {c for c in v.objects["cell"] if c in brought or counts[c] == 3 or (counts[c] == 2 and c in alive)}


def game_of_life(v):
    alive = {c for c in v.objects["cell"] if v("alive", c)}
    chosen = set()
    while len(chosen) < allowed(v):
        def worth(extra):
            total, state = 0, life_after(v, alive, chosen | extra)
            for _ in range(2):
                total += len(state)
                state = life_after(v, state, set())
            return total + len(state)
        best = max(v.objects["cell"], key=lambda c: worth({c}))
        if worth({best}) < worth(set()) + 1:
            break
        chosen.add(best)
    return {ground("bring-to-life", c): True for c in chosen}


def competition_elevators(v):
    floors = v.objects["floor"]
    at = {e: next(i for i, f in enumerate(floors) if v("at", e, f)) for e in v.objects["elevator"]}
    calls = [i for i, f in enumerate(floors) if v("wait-up", f) or v("wait-down", f)]
    mine = {e: [i for i in calls if min(at, key=lambda d: abs(at[d] - i)) == e] for e in at}
    actions = {}
    for e, here in at.items():
        up, down = v("wait-up", floors[here]), v("wait-down", floors[here])
        last = len(floors) - 1
        if not v("closed", e):
            order = "close-doors"
        elif v("ride-up", e) and here < last:
            order = "move" if v("upward", e) else "open-upward"
        elif v("ride-down", e) and here > 0:
            order = "move" if not v("upward", e) else "open-downward"
        elif up or down:
            order = "open-upward" if up else "open-downward"
        elif mine[e]:
            upward = any(i > here for i in mine[e])
            order = "move" if v("upward", e) == upward else "open-upward" if upward else "open-downward"
        else:
            order = None
        if order:
            actions[ground(order, e)] = True
    return actions


def wildfire(v):
    burning = [c for c in v.objects["cell"] if v("burning", c)]
    near = {c for a, b in v.pairs("BESIDE") for c in [a] if v("PRECIOUS", b) and not v("burning", b)}
    burning.sort(key=lambda c: (c not in near, sum(v("burning", b) for a, b in v.pairs("BESIDE") if a == c)))
    return {ground("quench", c): True for c in burning[:allowed(v)]}


def tamarisk(v):
    slots = {r: [s for s, q in v.pairs("IN") if q == r] for r in v.objects["reach"]}
    held = {r: sum(v("tamarisk", s) for s in slots[r]) for r in slots}
    bare = {r: sum(not v("tamarisk", s) and not v("native", s) for s in slots[r]) for r in slots}
    orders = [(held[r] + 0.5, ground("clear", r)) for r in slots if held[r]]
    orders += [(0.6 * bare[r] - 0.5, ground("plant", r)) for r in slots if bare[r] > 1 and not held[r]]
    return {order: True for _, order in sorted(orders, reverse=True)[:allowed(v)]}


def triangle_tireworld(v):
    spares = v.memory.setdefault("spares", {p for p in v.objects["place"] if v("spare-at", p)})
    here = next(p for p in v.objects["place"] if v("at", p))
    if not v("spare-at", here):
        spares.discard(here)
    if v("flat") and v("spare-loaded"):
        return {"change-tire": True}
    if v("spare-at", here) and not v("spare-loaded"):
        return {"load-spare": True}
    if v("flat"):
        return {}
    goals = {p for p in v.objects["place"] if v("GOAL", p)}
    step = way(v.pairs("ROAD"), here, goals, lambda p: 1.0 if p in spares or p in goals else 5.0)
    return {ground("drive", step): True} if step and step != here else {}


def academic_advising(v):
    passed = v.memory.setdefault("passed", set())
    passed |= {c for c in v.objects["course"] if v("passed", c)}
    needed = {c for c in v.objects["course"] if v("REQUIRED", c)}
    before = {c: [a for a, b in v.pairs("PREPARES") if b == c] for c in v.objects["course"]}
    if needed <= passed:
        # The program is not complete, so some of these courses were not passed: forget the belief about all of them.
        passed -= needed
    def chance(c):
        done = sum(b in passed for b in before[c])
        return v("UNPREPARED", c) + (1 - v("UNPREPARED", c)) * done / (1 + len(before[c])) if before[c] else v("BEGINNER", c)
    helpful = set(needed)
    for c in reversed(v.objects["course"]):
        if c in helpful - passed and chance(c) < 0.4:
            helpful |= set(before[c])
    turn = v.memory["turn"] = v.memory.get("turn", 0) + 1
    open_courses = sorted(helpful - passed, key=lambda c: (-round(chance(c), 1), (v.objects["course"].index(c) + turn) % 7))
    return {ground("take", c): True for c in open_courses[:allowed(v)]}


def skill_teaching(v):
    """Assumes that hints work and updates its belief with each answer; uses the true grades if they are known."""
    skills = v.objects["skill"]
    hidden = v.memory["partial"]
    grades = ["low", "medium", "high"]
    belief = v.memory.setdefault("belief", {s: 0 for s in skills})
    asked = v.memory.setdefault("asked", [])
    for s in skills:
        if not hidden:
            belief[s] = grades.index(v("mastery", s).lstrip("@"))
        elif s in asked:
            belief[s] = min(2, belief[s] + 1) if v("answered-right", s) else max(0, belief[s] - 1)
    asked.clear()
    actions = {}
    order = sorted(skills, key=lambda s: belief[s] != 1)
    for s in order:
        ready = all(belief[b] > 0 for b, c in v.pairs("BASIS") if c == s)
        if len(actions) == allowed(v) or belief[s] == 2 or not ready:
            continue
        if belief[s] == 0 and not v("hinted", s):
            actions[ground("hint", s)] = True
            belief[s] = 1
        elif belief[s] == 0 and hidden is False:
            actions[ground("hint", s)] = True
        else:
            actions[ground("set-problem", s)] = True
            asked.append(s)
    return actions


def crossing_traffic(v):
    columns, lines = v.objects["column"], v.objects["line"]
    robot = [(i, j) for i, c in enumerate(columns) for j, r in enumerate(lines) if v("robot-at", c, r)]
    if not robot:
        return {}
    (i, j), last = robot[0], len(columns) - 1

    def safe(x, y):
        if not v("LANE", lines[y]):
            return True
        return x < last and not v("car-at", columns[x + 1], lines[y])

    if j == len(lines) - 1:
        return {"go-right": True}
    if j == 0 and i == last and last > 0:
        return {"go-left": True}
    if safe(i, j + 1):
        return {"go-up": True}
    if safe(i, j):
        return {}
    if j > 0 and safe(i, j - 1):
        return {"go-down": True}
    return {"go-left": True} if i > 0 and safe(i - 1, j) else {}


def navigation(v):
    columns, lines = v.objects["column"], v.objects["line"]
    seen = [(i, j) for i, c in enumerate(columns) for j, r in enumerate(lines) if v("robot-at", c, r)]
    if not seen and not v.memory["partial"]:
        return {}
    i, j = v.memory["cell"] = seen[0] if seen else v.memory["cell"]
    moves = {"go-up": (0, 1), "go-down": (0, -1), "go-left": (-1, 0), "go-right": (1, 0)}
    cells = {(x, y) for x in range(len(columns)) for y in range(len(lines))}
    edges = [((x, y), (x + a, y + b)) for x, y in cells for a, b in moves.values() if (x + a, y + b) in cells]
    goals = {(x, y) for x, y in cells if v("GOAL", columns[x], lines[y])}

    def cost(cell):
        return 1.0 - 60.0 * math.log(1.0 - v("DANGER", columns[cell[0]], lines[cell[1]]))

    x, y = v.memory["cell"] = way(edges, (i, j), goals, cost)
    return {name: True for name, (a, b) in moves.items() if (i + a, j + b) == (x, y)}


def recon(v):
    columns, lines = v.objects["column"], v.objects["line"]
    votes = v.memory.setdefault("votes", {})
    for s in v.objects["site"]:
        for t in ("@water-test", "@life-test"):
            if v("tested", s, t):
                votes[s, t] = clip(votes.get((s, t), 0) + (1 if v("found", s, t) else -1), -5, 5)
    place = {s: (i, j) for s in v.objects["site"] for i, c in enumerate(columns) for j, r in enumerate(lines)
             if v("SITE-AT", s, c, r)}

    def next_tool(s):
        if v("tested", s, "@camera"):
            return None
        if not v("tested", s, "@water-test"):
            return "@water-test"
        if votes[s, "@water-test"] <= 0:
            return None
        if not v("tested", s, "@life-test"):
            return "@life-test"
        return "@camera" if votes[s, "@life-test"] > (1 if v.memory["partial"] else 0) else None

    actions, claimed = {}, set()
    for d in v.objects["drone"]:
        i, j = next((i, j) for i, c in enumerate(columns) for j, r in enumerate(lines) if v("drone-at", d, c, r))
        here = [s for s, cell in place.items() if cell == (i, j) and s not in claimed]
        # In a POMDP, a drone listens a little longer before it abandons a site.
        wait = [s for s in here if v.memory["partial"] and not v("tested", s, "@camera")
                and any(v("tested", s, t) and abs(votes[s, t]) < 2 for t in ("@water-test", "@life-test"))]
        tools = [next_tool(s) for s in here if next_tool(s)]
        left = [s for s in place if next_tool(s) and s not in claimed]
        if wait:
            claimed.update(here)
        elif tools:
            actions[ground("apply", d, tools[0])] = True
            claimed.update(here)
        elif left:
            target = min(left, key=lambda s: abs(place[s][0] - i) + abs(place[s][1] - j))
            claimed.add(target)
            x, y = place[target]
            move = "go-right" if x > i else "go-left" if x < i else "go-up" if y > j else "go-down"
            actions[ground(move, d)] = True
    return actions


POLICIES = {
    "cartpole-continuous": cartpole_continuous,
    "cartpole-discrete": cartpole_discrete,
    "elevators": elevators,
    "fire-fighting": fire_fighting,
    "mars-rover": mars_rover,
    "mountain-car": mountain_car,
    "power-unit-commitment-continuous": power_continuous,
    "power-unit-commitment-discrete": power_discrete,
    "racing-car": racing_car,
    "recommender-system": recommender_system,
    "supply-chain": supply_chain,
    "traffic": traffic,
    "uav-continuous": lambda v: uav(v, (float, float, float)),
    "uav-discrete": lambda v: uav(v, (round, round, round)),
    "uav-mixed": lambda v: uav(v, (float, round, round)),
}
COMPETITION = {
    "academic-advising": academic_advising,
    "crossing-traffic": crossing_traffic,
    "elevators": competition_elevators,
    "game-of-life": game_of_life,
    "navigation": navigation,
    "recon": recon,
    "skill-teaching": skill_teaching,
    "sysadmin": sysadmin,
    "tamarisk": tamarisk,
    "triangle-tireworld": triangle_tireworld,
    "wildfire": wildfire,
}
POLICIES |= {f"{name}-{form}": policy for name, policy in COMPETITION.items() for form in ("mdp", "pomdp")}
