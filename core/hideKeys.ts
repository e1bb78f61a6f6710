const anyUrl = /\b(?:https?|wss?):\/\/[^\s"'<>]+/gi
const longRun = /[A-Za-z0-9_-]{24,}/g
/** Addresses, hashes and call data; names of JSON-RPC methods. */
const noKey = /^0x[0-9a-f]*$|^[a-z]{2,8}_[a-z]+$/i

/** The words of an upstream whose URL is not at hand: without any URL, and without any run of 24 characters that may be a key. */
export function hideKeyLike(text: string): string {
  return hideUrls(text).replace(longRun, (run) => (noKey.test(run) ? run : '…'))
}

/** Without any URL: keys stand in them. */
export function hideUrls(text: string): string {
  return text.replace(anyUrl, '…')
}
