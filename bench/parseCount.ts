type Count = {
  readonly option: string
  readonly text: string
  readonly min?: number
  readonly max: number
  readonly usage: string
}

/** Reads `--option 20`. @throws Error that names the option, what was found and what is wanted, with the usage */
export function parseCount({ option, text, min = 1, max, usage }: Count): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= min && count <= max) return count
  throw new Error(`--${option}: found ${text}, wanted a whole number from ${min} to ${max}\n${usage}`)
}
