// Sets the chosen theme before anything is painted; loaded as a plain script for that reason.

(() => {
  try {
    const chosen = localStorage.getItem("trunkline.theme");
    if (chosen === "light" || chosen === "dark") {
      document.documentElement.dataset.theme = chosen;
    }
  } catch {
    // Storage may be closed to pages; the system's theme is followed then.
  }
})();
