/** Shorter parts of a URL are no keys, and hiding them would eat words of a message. */
const secretLengthMin = 8
const shownLengthMax = 200

/**
 * An upstream's own words, fit for logs and answers: without the URL it was asked at, without any long part of that URL (keys
 * stand in paths, queries and user names), on one line and cut to 200 characters.
 */
export function hideSecrets(text: string, url: string): string {
  const hidden = listSecrets(url).reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
  const line = hidden.replace(/\s+/g, ' ').trim()
  return line.length > shownLengthMax ? `${line.slice(0, shownLengthMax)}…` : line
}

/** Longest first, so that no part of a longer one is left over. */
function listSecrets(url: string): string[] {
  const { pathname, searchParams, username, password, href } = new URL(url)
  const parts = [...pathname.split('/'), ...searchParams.values(), username, password]
  const spellings = parts.flatMap((part) => [part, decode(part), encodeURIComponent(decode(part))])
  return [url, href, ...new Set(spellings)].filter((part) => part.length >= secretLengthMin).sort((a, b) => b.length - a.length)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
