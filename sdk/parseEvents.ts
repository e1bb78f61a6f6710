/** A server-sent event. `id` is the last one heard. */
export type ServerEvent = { readonly name: string; readonly id: string | undefined; readonly data: string }

const eventLengthMax = 16 * 1024 * 1024

/**
 * Reads server-sent events from pieces of text as they come.
 * @param onRetry told how long the server wants the client to wait before a reconnect
 * @returns feeds a piece, gives the events that it completes @throws RangeError when an event does not end
 */
export function createEventParser(onRetry: (ms: number) => void = () => undefined): (piece: string) => ServerEvent[] {
  let rest = ''
  let id: string | undefined
  let name = ''
  let data: string[] = []

  const takeLine = (line: string): ServerEvent | undefined => {
    if (line === '') {
      const event = data.length > 0 ? { name: name || 'message', id, data: data.join('\n') } : undefined
      name = ''
      data = []
      return event
    }
    const colon = line.indexOf(':')
    if (colon === 0) return undefined
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'id') id = value
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
    if (field === 'retry' && /^\d+$/.test(value)) onRetry(Number(value))
    return undefined
  }
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    if (rest.length + data.reduce((sum, { length }) => sum + length, 0) > eventLengthMax)
      throw new RangeError(`An event of over ${eventLengthMax} characters`)
    return lines.flatMap((line) => takeLine(line) ?? [])
  }
}
