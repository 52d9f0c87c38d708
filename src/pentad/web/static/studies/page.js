// The page of a person's own studies: they are opened or deleted there.

import { forget } from "../analyse/keys.js";
import { studyLink } from "../analyse/link.js";
import { announce, button, byId, make, messageOf, notify } from "../dom.js";
import { fetchJson, linkTo } from "../server.js";
import { phrase } from "../words.js";
import { countText, detailsOf } from "./rows.js";

/** @import { OwnStudy } from "../messages.d.ts" */

/** @type {OwnStudy | null} */ let asked = null; // the study about whose removal the dialog asks

async function load() {
  try {
    const own = await fetchJson("/api/mine/studies");
    byId("studies-count").textContent = countText(own);
    byId("no-studies").hidden = own.studies.length > 0;
    byId("studies").replaceChildren(...own.studies.map(row));
    notify("");
  } catch (error) {
    byId("studies-count").textContent = "Could not load your studies.";
    notify(messageOf(error));
  }
}

/** @param {OwnStudy} study */
function row(study) {
  const { name, title } = study;
  return make("li", {},
    make("a", { href: linkTo(studyLink({ study: name })) }, make("b", {}, title), make("small", {}, detailsOf(study, new Date()))),
    button("Delete…", () => ask(study), { ariaLabel: phrase("Delete {title}…", { title }) }));
}

/** @param {OwnStudy} study */
function ask(study) {
  asked = study;
  byId("delete-title").textContent = phrase("Delete the study {title}?", { title: study.title });
  byId("delete-dialog").returnValue = "no";
  byId("delete-dialog").showModal();
}

/** @param {OwnStudy} study */
async function remove({ name }) {
  try {
    await fetchJson(/** @type {const} */ (`/api/study/kept/${encodeURIComponent(name)}/remove`), {});
    forget(name);
    announce("Study deleted.");
  } catch (error) {
    notify(messageOf(error));
    return;
  }
  await load();
  byId("main").querySelector("a")?.focus(); // the button that had the focus is gone
}

byId("delete-dialog").addEventListener("close", () => {
  if (byId("delete-dialog").returnValue === "yes" && asked) remove(asked);
});
load();
