/** What a reload would find on the page. */
export type PageFacts = {
  /** A wallet is being asked, a transaction waits: something that nobody can ask for twice. */
  readonly held: boolean
  /** `shows`: the address brings it back. `acts`: there is something to do in it. `asks`: a question that is open. */
  readonly dialog: 'none' | 'shows' | 'acts' | 'asks'
  /** Where the cursor is: in a field of a form, or in one of its own (a search) with or without text in it. */
  readonly cursor: 'elsewhere' | 'formField' | 'emptyField' | 'typedField'
  /** Somebody has typed into a form. */
  readonly formHasText: boolean
}

/**
 * Whether a reload would tear somebody out of a form or a transaction. What only shows does not hold it: it comes back with the page.
 * Nor does an open dialog hold a page that the browser brings back from its cache, as long as nothing has been done in it.
 */
export function isReloadBad({ held, dialog, cursor, formHasText }: PageFacts, why: 'old' | 'restored'): boolean {
  if (held || dialog === 'asks' || formHasText) return true
  if (cursor === 'formField' || cursor === 'typedField') return true
  return dialog === 'acts' && why === 'old'
}

/** Kinds of input whose value is not typed. */
const untyped = ['button', 'checkbox', 'hidden', 'radio', 'submit']

/** A form with an address to go to holds nothing that is not in the address of the page, such as a search. */
const filledForm = 'form:not([action])'

/** Reads what {@link isReloadBad} rests on, save what holds the reload by itself. */
export function readPageFacts(page: Document): Omit<PageFacts, 'held'> {
  const fields = page.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(`${filledForm} :is(input, textarea)`)
  return {
    dialog: readDialog(page),
    cursor: readCursor(page),
    formHasText: Array.from(fields).some(({ type, value }) => value !== '' && !untyped.includes(type)),
  }
}

function readDialog(page: Document): PageFacts['dialog'] {
  if (page.querySelector('[role="alertdialog"]')) return 'asks'
  if (page.querySelector('[role="dialog"]:not([data-shows]), [data-like-dialog]')) return 'acts'
  return page.querySelector('[role="dialog"]') ? 'shows' : 'none'
}

function readCursor(page: Document): PageFacts['cursor'] {
  if (page.querySelector(`${filledForm} :is(input, select, textarea):focus`)) return 'formField'
  const field = page.querySelector<HTMLInputElement | HTMLTextAreaElement>(':is(input, textarea):focus')
  if (!field || untyped.includes(field.type)) return 'elsewhere'
  return field.value === '' ? 'emptyField' : 'typedField'
}
