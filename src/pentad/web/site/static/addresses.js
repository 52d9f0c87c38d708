// The addresses of pages in a folder without a server. Pages below this folder take the part of an address after their
// own in the query.
//
// pentad's path /puzzles/pente-7?game=pente is SITE/puzzles/?/pente-7&game=pente, and /play/abc is SITE/play/?/abc.

export const site = new URL("../../", import.meta.url); // this module is in static/HASH/

const PAGES = ["play", "games", "analyse", "review", "puzzles", "learn", "models", "embed"];

// The path and query of this page, as pentad knows them.
export function here(address = location.href) {
  const { pathname, search } = new URL(address);
  const [page] = pathname.slice(site.pathname.length).split("/");
  const [, tail = "", query = ""] = /^\??(\/[^&]*)?&?(.*)$/.exec(search) ?? [];
  const path = `${PAGES.includes(page) ? `/${page}` : ""}${tail}` || "/";
  return new URL(query ? `${path}?${query}` : path, "http://pentad");
}

// The address of a page of pentad.
/** @param {string} path */
export function linkTo(path) {
  const { pathname, search, hash } = new URL(path, "http://pentad");
  const [, page, ...rest] = pathname.split("/");
  const isPage = PAGES.includes(page);
  const tail = isPage ? rest.join("/") : pathname === "/" ? "" : pathname.slice(1);
  const query = [tail && `/${tail}`, search.slice(1)].filter(Boolean).join("&");
  return `${new URL(isPage ? `${page}/` : "", site).href}${query ? `?${query}` : ""}${hash}`;
}
