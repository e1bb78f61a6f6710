import type { DrawnPage } from '@chainboard/contract'

/** Where web/index.html has room for what is drawn, and its word for browsers without scripts. */
const rootPlace = '<div id="root"></div>'
const needsScripts = /\s*<noscript>.*?<\/noscript>/s
const headEnd = '</head>'
/** The page's own script, and the one that runs before the first paint (web/public/theme.js). */
const pageScript = /\s*<script type="module"[^>]*? src="([^"]+)"[^>]*><\/script>/
const firstScript = '<script src="/theme.js"'

/**
 * The whole page: what was drawn, its rules, and what it was drawn from as JSON. React has escaped the first, rules are made of plain
 * characters; in the JSON nothing that anybody named a token can end the element it stands in. The page can be read without its script, which is
 * asked for after the first paint: on a slow network styles and letters come sooner for it.
 * @param shell the page as it is without
 */
export function putDrawn(shell: string, { html, css, state }: DrawnPage): string {
  const data = `<script type="application/json" id="drawn">${toScriptText(state)}</script>`
  const sheet = css === '' ? '' : `<style>${css}</style>`
  // Functions, for which `$&` in a name is no pattern.
  return lateScript(shell)
    .replace(needsScripts, '')
    .replace(headEnd, () => `${sheet}${headEnd}`)
    .replace(rootPlace, () => `<div id="root">${html}</div>\n    ${data}`)
}

function lateScript(shell: string): string {
  const [element = '', src] = pageScript.exec(shell) ?? []
  if (src === undefined || !shell.includes(firstScript)) return shell
  return shell.replace(element, '').replace(firstScript, () => `${firstScript} data-start="${src}"`)
}

/** What ends an element or a line, and every mark that turns or hides text. */
const dangerous = /[<>&\u2028\u2029\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu

/** JSON that means the same, without a character that could end its element or hide something. */
export function toScriptText(json: string): string {
  const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replaceAll(dangerous, (character) => character.split('').map(toEscape).join(''))
}
