import { WrongOption } from '../tools/wrongOption.ts'

type Count = { readonly option: string; readonly text: string; readonly min?: number; readonly max: number }

/** Reads `--option 20`. @throws WrongOption that names the option, what was found and what is expected */
export function parseCount({ option, text, min = 1, max }: Count): number {
  const count = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isInteger(count) && count >= min && count <= max) return count
  throw new WrongOption(`--${option}: found ${text}, expected a whole number from ${min} to ${max}`)
}
