// Of several panels the reader sees the one he chose.
(() => {
  "use strict";
  for (const choice of document.querySelectorAll(".choice")) {
    const select = choice.querySelector(":scope > label > select");
    const panels = [...choice.querySelectorAll(":scope > .panel")];
    if (!select) continue;
    choice.classList.add("live");
    const show = () => {
      for (const panel of panels) panel.hidden = panel.id !== select.value;
      dispatchEvent(new Event("covec-shown"));
    };
    select.addEventListener("change", show);
    show();
    // Paper cannot be clicked: it gets all of them. Before the charts are drawn for it, which listens as well.
    addEventListener("beforeprint", () => { for (const panel of panels) panel.hidden = false; }, true);
    addEventListener("afterprint", show, true);
  }
  // A link into a panel opens it.
  const follow = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const panel = target && target.closest(".panel");
    const select = panel && panel.parentElement.querySelector(":scope > label > select");
    if (!select || !panel.hidden) return;
    select.value = panel.id;
    select.dispatchEvent(new Event("change"));
    target.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  follow();
})();
