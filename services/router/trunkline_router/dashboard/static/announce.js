// What is said to screen readers, politely and one thing at a time.

/** Say a text once. @param {string} text */
export function announce(text) {
  const region = document.getElementById("announcements");
  if (region) {
    region.textContent = "";
    window.setTimeout(() => {
      region.textContent = text;
    }, 50);
  }
}
