/** Beyond it old prices say nothing. */
export const pricesKeptMs = 7 * 86_400_000

const scripts = /<script\b[^>]*>.*?<\/script>/gs
const drawnAt = /id="drawn">\{"atSeconds":(\d{9,11}),/
const bodyStart = '<body>'

/** Unix milliseconds at which the server drew a page; undefined for one that it has not drawn. */
export function findDrawnAtMs(html: string): number | undefined {
  const seconds = drawnAt.exec(html)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/**
 * The home page as the server drew it last, for a browser that does not reach the server: without scripts, with the time of its prices above, and
 * without the words that called them live.
 * @param formatTime tells a time in unix milliseconds to the reader
 * @returns undefined when its prices are too old to be of use
 */
export function toOfflinePage(html: string, nowMs: number, formatTime: (ms: number) => string): string | undefined {
  const atMs = findDrawnAtMs(html)
  if (atMs === undefined || nowMs - atMs > pricesKeptMs) return undefined
  const note = toNote(`Offline, prices of ${formatTime(atMs)}.`)
  return html
    .replace(scripts, '')
    .replace('</head>', '<style>[data-now]{display:none}</style></head>')
    .replace(bodyStart, () => `${bodyStart}${note}`)
}

/** What is shown when no prices are kept. */
export function toEmptyPage(): string {
  const head =
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="dark light">'
  return `<!doctype html><html lang="en"><head>${head}<title>Offline</title></head><body>${toNote('Offline. No prices are saved on this device.')}</body></html>`
}

function toNote(text: string): string {
  return `<p role="status" class="px-4 py-2 text-center text-14 font-strong text-warn">${text} <a href="" class="underline">Try again</a></p>`
}
