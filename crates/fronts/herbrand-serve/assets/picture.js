// The picture of a state with clickable objects.

const SVG = "http://www.w3.org/2000/svg";

/** Returns the actions that involve all of these objects. */
export const naming = (actions, names) => actions.filter((action) => names.every((name) => action.names.includes(name)));

/** Fits a picture into a place of `room` pixels: moves its side column below it if it is wider, and keeps letters at 8 pixels or
 * more. Returns the vector by which the column moved. */
export function fit(svg, room) {
  const side = svg.querySelector(".hb-side");
  let shift = [0, 0];
  if (side && svg.viewBox.baseVal.width > room) {
    shift = side.dataset.below.split(" ").map(Number);
    side.setAttribute("transform", `translate(${side.dataset.below})`);
    const [width, height] = side.dataset.size.split(" ");
    for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height })) svg.setAttribute(name, value);
    svg.style.maxHeight = "none";
  }
  const letters = Math.min(...[...svg.querySelectorAll("text")].map((text) => Number(text.getAttribute("font-size"))));
  const width = svg.viewBox.baseVal.width;
  svg.style.minWidth = letters * room < 8 * width ? `${Math.min(1, 8 / letters) * width}px` : "";
  return shift;
}

export class Picture {
  /** Creates a picture in the element `place`. A click calls `take` with an action, or `choose` with several actions and the event. */
  constructor(place, { take, choose, picked }) {
    Object.assign(this, { place, take, choose, said: picked, names: [], view: null });
    addEventListener("resize", () => this.view?.picture && this.show(this.view));
  }

  show(view) {
    this.view = view;
    this.names = [];
    const { picture } = view;
    if (!picture) {
      this.blank("This state is too large to draw.");
      this.view = view;
      return;
    }
    // Safe: the engine generates the SVG and escapes all names.
    this.place.innerHTML = picture.svg;
    const svg = this.place.querySelector("svg");
    svg.setAttribute("preserveAspectRatio", "xMidYMid meet");
    this.zones = document.createElementNS(SVG, "svg");
    this.zones.setAttribute("class", "zones");
    const [across, down] = fit(svg, this.place.clientWidth);
    this.zones.setAttribute("viewBox", svg.getAttribute("viewBox"));
    this.zones.style.minWidth = svg.style.minWidth;
    this.zones.setAttribute("aria-hidden", "true");
    for (const zone of picture.zones) {
      const area = document.createElementNS(SVG, "rect");
      let [x, y, width, height] = zone.frame;
      // The side column begins where the shift leads to the left margin.
      if (across && x + across > 0) [x, y] = [x + across, y + down];
      for (const [name, value] of Object.entries({ x, y, width, height, rx: 3 })) area.setAttribute(name, String(value));
      area.dataset.names = zone.names.join(" ");
      if (naming(view.actions, zone.names).length > 0) area.setAttribute("class", "can");
      const title = document.createElementNS(SVG, "title");
      title.textContent = zone.names.join(", ");
      area.append(title);
      area.zone = zone;
      this.zones.append(area);
    }
    this.zones.addEventListener("click", (event) => this.click(event));
    this.place.append(this.zones);
  }

  /** Shows a sentence in place of a picture. */
  blank(sentence) {
    Object.assign(this, { view: null, names: [], zones: null });
    const none = document.createElement("p");
    none.className = "none";
    none.textContent = sentence;
    this.place.replaceChildren(none);
  }

  /** Clears the picked objects. */
  forget() {
    this.names = [];
    this.mark();
  }

  mark() {
    for (const area of this.zones?.children ?? []) {
      area.classList.toggle("picked", this.names.length > 0 && area.zone.names.every((name) => this.names.includes(name)));
    }
    this.said(this.names);
  }

  /** Handles a click: picks the topmost object that some action involves together with the objects picked before. */
  click(event) {
    const areas = document.elementsFromPoint(event.clientX, event.clientY).filter((one) => one.zone && this.zones.contains(one));
    for (const picked of [this.names, []]) {
      for (const { zone } of areas) {
        if (picked.length > 0 && zone.names.every((name) => picked.includes(name))) continue;
        const names = [...picked, ...zone.names];
        const actions = naming(this.view.actions, names);
        if (actions.length === 0) continue;
        if (actions.length === 1 && this.view.together <= 1) {
          this.forget();
          this.take(actions[0]);
          return;
        }
        this.names = names;
        this.mark();
        this.choose(actions, event);
        return;
      }
    }
    this.forget();
  }
}
