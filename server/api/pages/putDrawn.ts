import type { DrawnPage } from '@chainboard/contract'

/** Where web/index.html has room for what is drawn, and its word for browsers without scripts. */
const rootPlace = '<div id="root"></div>'
const needsScripts = /\s*<noscript>.*?<\/noscript>/s
const headEnd = '</head>'

/**
 * The whole page: what was drawn, its rules, and what it was drawn from as JSON. React has escaped the first, rules are made of plain
 * characters; in the JSON nothing that anybody named a token can end the element it stands in.
 * @param shell the page as it is without
 */
export function putDrawn(shell: string, { html, css, state }: DrawnPage): string {
  const data = `<script type="application/json" id="drawn">${toScriptText(state)}</script>`
  const sheet = css === '' ? '' : `<style>${css}</style>`
  // Functions, for which `$&` in a name is no pattern.
  return shell
    .replace(needsScripts, '')
    .replace(headEnd, () => `${sheet}${headEnd}`)
    .replace(rootPlace, () => `<div id="root">${html}</div>\n    ${data}`)
}

const dangerous = /[<>&\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f]/g

/** JSON that means the same, with what could end its element, a line or the direction of reading as an escape. */
export function toScriptText(json: string): string {
  return json.replaceAll(dangerous, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
