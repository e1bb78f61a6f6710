/** Text as bytes for keeping. A small `Buffer.from` is a part of a pool of 64 KB, which would be kept with it. */
export function toOwnBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
