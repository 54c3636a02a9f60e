// What a deal pays is worked out while it is told.
const form = document.getElementById("told");
let asking = null;

const away = () => {
  const shown = document.getElementById("shown");
  if (shown.querySelector(".away")) return;
  const said = document.createElement("p");
  said.className = "notice away";
  said.role = "status";
  said.textContent = "No connection: what is shown here is from before the last change. It is worked out when the network is back.";
  shown.prepend(said);
};

const again = async () => {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  form.ariaBusy = "true";
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), signal });
    if (answer.redirected) history.replaceState(null, "", answer.url); // a reload keeps what was told
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const shown = page.getElementById("shown");
    if (shown) document.getElementById("shown").replaceWith(document.adoptNode(shown));
    for (const fault of form.querySelectorAll(".fault")) {
      const now = page.getElementById(fault.id);
      fault.textContent = now?.textContent ?? "";
      fault.hidden = !fault.textContent;
      const field = form.elements.namedItem(fault.id.slice("fault-".length));
      field?.toggleAttribute?.("aria-invalid", false);
      if (field && !fault.hidden) field.setAttribute?.("aria-invalid", "true");
    }
  } catch (error) {
    if (error.name !== "AbortError") away();
  } finally {
    if (!signal.aborted) form.ariaBusy = null;
  }
};
form.addEventListener("change", again);
addEventListener("online", again);
document.getElementById("again").hidden = true;
form.addEventListener("submit", ({ submitter }) => {
  asking?.abort();
  if (submitter?.formAction.endsWith("/book")) setTimeout(() => (submitter.disabled = true)); // the key books once all the same
});
