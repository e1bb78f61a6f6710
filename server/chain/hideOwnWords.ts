/** Shorter parts of a URL are versions and names that say nothing. */
const wordMin = 6
/** Such a part is a word of the language, as `archive`: what a refusal means is read from those. */
const plainWord = /^[a-z]+$/
const causesMax = 5

/**
 * Takes the parts of a node's own URL out of the words of its errors: each may be a key, and providers repeat it in what they refuse.
 * @returns the error, changed
 */
export function hideOwnWords(url: string): (error: unknown) => unknown {
  const { username, password, pathname, searchParams } = new URL(url)
  const parts = [...pathname.split('/'), ...searchParams.values()].filter((part) => !plainWord.test(part))
  const words = [username, password, ...parts].flatMap((word) => [word, decode(word)]).filter((word) => word.length >= wordMin)
  const hide = (text: string) => words.reduce((left, word) => left.replaceAll(word, '…'), text)
  return (error) => {
    let each = error
    for (let i = 0; i < causesMax && each instanceof Error && words.length > 0; i += 1) {
      for (const field of ['message', 'shortMessage', 'details'] as const) hideIn(each, field, hide)
      each = each.cause
    }
    return error
  }
}

function hideIn(error: Error, field: string, hide: (text: string) => string): void {
  const text: unknown = Reflect.get(error, field)
  if (typeof text === 'string') Reflect.set(error, field, hide(text))
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
