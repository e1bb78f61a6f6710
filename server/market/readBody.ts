/**
 * The text of an answer, read piece by piece.
 * @returns undefined when it is longer than `bytesMax`; the rest is not read then
 */
export async function readBody(response: Response, bytesMax: number): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  if (!response.body) return text
  for await (const piece of response.body) {
    bytes += piece.byteLength
    if (bytes > bytesMax) return undefined
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
}
