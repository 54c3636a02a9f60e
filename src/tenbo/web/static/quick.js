// Quick entry: whoever was chosen as discarder and then won is discarder no more.
for (const seat of document.querySelectorAll(".who [name=seat]"))
  seat.addEventListener("change", () => {
    const how = document.querySelector(`.how [value=${seat.value}]`);
    if (how) how.checked = false;
  });
