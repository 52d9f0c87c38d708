// Light, dark, strong contrast, or as the system has it; runs before the page is painted.
(() => {
  const words = ["auto", "light", "dark", "contrast"];
  const stored = () => {
    try {
      const kept = localStorage.getItem("theme");
      return words.includes(kept) ? kept : "auto";
    } catch {
      return "auto";
    }
  };
  let theme = stored();
  const apply = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    const word = document.getElementById("theme-word");
    if (word) word.textContent = `Theme: ${theme}`;
  };
  apply();
  document.addEventListener("DOMContentLoaded", () => {
    apply();
    document.getElementById("theme").addEventListener("click", () => {
      theme = words[(words.indexOf(theme) + 1) % words.length];
      try {
        localStorage.setItem("theme", theme);
      } catch {
        // not kept, then
      }
      apply();
    });
  });
})();
