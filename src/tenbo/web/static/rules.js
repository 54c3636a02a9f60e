// House rules: what they change is shown while they are changed.
const form = document.getElementById("options");
let asking = null;
let working = null;

const LINKS = ["download", "use"];

// Only what differs from the ruleset's own need stand in the address.
const query = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));

const answered = async () => {
  if (!form.checkValidity()) return form.reportValidity();
  asking?.abort();
  asking = new AbortController();
  const address = `${form.action.split("#")[0]}?${query()}`;
  try {
    const answer = await fetch(address, { signal: asking.signal, headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of ["wrong", "changes"]) document.getElementById(id).replaceWith(document.adoptNode(page.getElementById(id)));
    for (const id of LINKS) document.getElementById(id).setAttribute("href", page.getElementById(id).getAttribute("href"));
    const now = page.querySelectorAll(".option");
    document.querySelectorAll(".option").forEach((one, i) => {
      one.className = now[i].className;
      const fault = one.querySelector(".fault");
      if (!fault) return;
      const said = now[i].querySelector(".fault");
      fault.textContent = said.textContent;
      fault.hidden = said.hidden;
      const field = one.querySelector("select, input");
      if (said.hidden) field.removeAttribute("aria-invalid");
      else field.setAttribute("aria-invalid", "true");
    });
    history.replaceState(null, "", `${address}#house`);
  } catch (error) {
    if (error.name !== "AbortError") form.submit();
  }
  return undefined;
};

const changed = () => {
  const mine = answered().finally(() => mine === working && (working = null));
  working = mine;
};

form.addEventListener("change", changed);
// A link pressed straight from a field goes with what that field says now.
form.addEventListener("click", async (event) => {
  const link = event.target.closest("a");
  if (!working || !LINKS.includes(link?.id)) return;
  event.preventDefault();
  while (working) await working;
  link.click();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  changed();
});

// A link to one rule opens it.
const open = () => {
  const found = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (found instanceof HTMLDetailsElement) found.open = true;
};
addEventListener("hashchange", open);
open();
