/** How a secret may look in a log: as it is, in JSON, and as bytes in hex, in base64 and in decimal. For secrets of 12 characters and more. */
export function listForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  // Wherever in a longer row of bytes it begins: the characters that its neighbours have no part in.
  const packed = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
    return whole
      .subarray(0, whole.length - (whole.length % 3))
      .toString('base64')
      .slice(before === 0 ? 0 : 4)
  })
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    bytes.join(','),
    ...packed,
  ]
}
