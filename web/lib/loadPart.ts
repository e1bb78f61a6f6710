import { isReloadHeld } from './busy.ts'
import { hasAnswer } from './fetchJson.ts'
import { healthUrl } from './urls.ts'

/** Between one try and the next. */
const pausesMs = [300, 1_200, 3_000]

/**
 * Loads code that is no part of the first load. A file that does not arrive is asked for three times more.
 * @throws what the last try threw
 */
export async function loadPart<T>(fetchCode: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await fetchCode()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return fetchCode()
}

/**
 * Asks once more for code that did not arrive. A server that answers has another version of it, or the browser keeps the failure: then the
 * page is loaded again, unless that would lose something.
 * @returns whether the code is there
 */
export async function loadAgain(fetchCode: () => Promise<unknown>): Promise<boolean> {
  try {
    await fetchCode()
    return true
  } catch {
    if (!isReloadHeld() && (await hasAnswer(healthUrl))) location.reload()
    return false
  }
}
