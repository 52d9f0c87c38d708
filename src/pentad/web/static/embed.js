// A board in a page of any site: <pentad-board position="…">, or with record="…" or puzzle="…".
//
// The element holds a frame with the page "embed" of the server, or of the folder, from which this module comes. A record
// may also be the element's text. The frame reports its height.

const PAGE = new URL("./embed", import.meta.url);
const KINDS = /** @type {const} */ (["puzzle", "record", "position"]);
const TITLES = { puzzle: "Board {number}: a puzzle", record: "Board {number}: a game", position: "Board {number}: a position" };
const SETTINGS = ["flip", "theme"];
const MAX_HEIGHT_PIXELS = 4000;

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { display: block; max-width: 32rem; }
  :host([hidden]) { display: none; }
  iframe { display: block; width: 100%; aspect-ratio: 4 / 5; border: 0; }
`);

let count = 0;

class PentadBoard extends HTMLElement {
  static observedAttributes = [...KINDS, ...SETTINGS, "label"];
  /** @type {HTMLIFrameElement | null} */ #frame = null;
  #root = this.attachShadow({ mode: "open" });
  #number = ++count; // titles of frames differ
  #isWaiting = false;
  #text = new MutationObserver(() => this.#update());

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [sheet];
  }

  connectedCallback() {
    this.#text.observe(this, { childList: true, characterData: true, subtree: true });
    addEventListener("message", this.#receive);
    this.#update();
  }

  disconnectedCallback() {
    this.#text.disconnect();
    removeEventListener("message", this.#receive);
  }

  attributeChangedCallback() {
    this.#update();
  }

  // Shows what the attributes say, once for all changes made together.
  #update() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    queueMicrotask(() => {
      this.#isWaiting = false;
      if (this.isConnected) this.#show();
    });
  }

  #show() {
    const kind = KINDS.find((each) => this.hasAttribute(each)) ?? "record";
    const value = this.getAttribute(kind) ?? this.textContent?.trim() ?? "";
    const address = new URL(PAGE);
    address.searchParams.set("height", "content");
    if (value) address.searchParams.set(kind, value);
    if (this.hasAttribute("flip")) address.searchParams.set("flip", this.getAttribute("flip") || "true");
    if (this.hasAttribute("theme")) address.searchParams.set("theme", this.getAttribute("theme") ?? "");
    if (this.#frame?.src !== address.href) this.#load(address.href);
    // The module imports nothing, since pages of other sites load it.
    if (this.#frame) this.#frame.title = this.getAttribute("label") ?? TITLES[kind].replace("{number}", String(this.#number));
  }

  // Loads an address in a new frame; in the same one, the browser's Back button would return to the address before.
  /** @param {string} address */
  #load(address) {
    const frame = document.createElement("iframe");
    frame.loading = "lazy";
    frame.src = address;
    if (this.#frame) frame.style.cssText = this.#frame.style.cssText; // the height stays until the next is known
    this.#frame = frame;
    this.#root.replaceChildren(frame);
  }

  /** @param {MessageEvent} event */
  #receive = ({ source, origin, data }) => {
    if (!this.#frame || source !== this.#frame.contentWindow || origin !== PAGE.origin || data?.type !== "pentad-size") return;
    if (!Number.isFinite(data.height)) return;
    this.#frame.style.aspectRatio = "auto";
    this.#frame.style.height = `${Math.min(Math.max(data.height, 0), MAX_HEIGHT_PIXELS)}px`;
  };
}

if (!customElements.get("pentad-board")) customElements.define("pentad-board", PentadBoard);
