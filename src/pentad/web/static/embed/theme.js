// The colour theme of an embedded board: that of the address, else the system's; runs before the page is painted.
(() => {
  const given = new URLSearchParams(location.search).get("theme") ?? "";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    document.documentElement.dataset.theme = ["light", "dark"].includes(given) ? given : dark.matches ? "dark" : "light";
  };
  apply();
  dark.addEventListener("change", apply);
})();
