// The look of boards and pieces that was chosen in the settings; runs before the page is painted.
//
// The style sheet of boards has a theme for each value of `data-board` and `data-pieces` on the root element; without
// them it is the first of each.
(() => {
  const apply = () => {
    for (const name of ["board", "pieces"]) {
      let chosen = null;
      try {
        chosen = JSON.parse(localStorage.getItem(`look-${name}`) ?? "null");
      } catch {
        // The browser stores nothing, or something else.
      }
      if (typeof chosen === "string") document.documentElement.dataset[name] = chosen;
      else delete document.documentElement.dataset[name];
    }
  };
  apply();
  addEventListener("storage", apply); // chosen in another tab
  addEventListener("look", apply);
})();
