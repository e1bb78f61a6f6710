/** A page as the page's own code draws it at the server: the same for everybody, without anything of whoever asks. */
export type DrawnPage = {
  /** What stands in `#root`. */
  readonly html: string
  /** Rules for it that the style sheet does not have; empty for none. */
  readonly css: string
  /** JSON of what it was drawn from, with which the page in the browser goes on. */
  readonly state: string
}

/**
 * Draws the page of an address. `fetch` of the thread that it runs in answers as the site does, for paths of the site.
 * @returns undefined when the site has no such page
 * @throws whatever keeps it from that, such as a list of tokens that does not come
 */
export type DrawPage = (address: URL) => Promise<DrawnPage | undefined>
