"use strict";
(() => {
  const players = [...document.querySelectorAll("audio")];

  const hear = (player, seconds) => {
    players.filter((other) => other !== player).forEach((other) => other.pause());
    if (seconds !== null) player.currentTime = seconds;
    player.play().catch(() => {});
  };

  const unfold = (element) => {
    for (let fold = element?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-plays]");
    if (button) {
      const player = document.getElementById(button.dataset.plays);
      if (player.paused) hear(player, 0);
      else player.pause();
      return;
    }
    const quote = event.target.closest("a.quote");
    if (quote) {
      unfold(document.getElementById(quote.hash.slice(1)));
      const player = document.getElementById(quote.dataset.audio ?? "");
      if (player) hear(player, Number(quote.dataset.t0));
      return;
    }
    const word = event.target.closest("[data-player] [data-t0]");
    if (word && getSelection().isCollapsed) {
      const player = document.getElementById(word.closest("[data-player]").dataset.player);
      if (player) hear(player, Number(word.dataset.t0));
    }
  });

  const light = (event, on) => {
    const row = event.target.closest(".judgement li, .there li");
    for (const quote of row?.querySelectorAll("[data-span]") ?? []) {
      document
        .querySelectorAll(`mark[data-spans~="${quote.dataset.span}"]`)
        .forEach((mark) => mark.classList.toggle("lit", on));
    }
  };
  for (const type of ["mouseover", "focusin"]) {
    document.addEventListener(type, (event) => light(event, true));
  }
  for (const type of ["mouseout", "focusout"]) {
    document.addEventListener(type, (event) => light(event, false));
  }

  const follow = (player) => {
    const words = [...document.querySelectorAll(`[data-player="${player.id}"] [data-t0]`)].map(
      (element) => ({ element, t0: Number(element.dataset.t0), t1: Number(element.dataset.t1) }),
    );
    const show = () => {
      const now = player.currentTime;
      for (const { element, t0, t1 } of words) {
        element.classList.toggle("now", !player.paused && t0 <= now && now < t1);
      }
      if (!player.paused) requestAnimationFrame(show);
    };
    show();
  };

  const missing = (player) => {
    player.hidden = true;
    if (player.nextElementSibling) player.nextElementSibling.hidden = false;
  };

  for (const player of players) {
    const button = document.querySelector(`[data-plays="${player.id}"]`);
    const press = () => button?.setAttribute("aria-pressed", String(!player.paused));
    player.addEventListener("play", () => {
      press();
      follow(player);
    });
    player.addEventListener("pause", press);
    player.addEventListener("error", () => missing(player));
    if (player.error) missing(player);
  }

  addEventListener("beforeprint", () => {
    document.querySelectorAll("details").forEach((fold) => (fold.open = true));
  });

  if (location.protocol === "file:") {
    const folder = document.getElementById("folder");
    folder.querySelector("code").textContent = decodeURIComponent(
      location.pathname.replace(/[^/]*$/, ""),
    );
    folder.hidden = false;
  }
})();
