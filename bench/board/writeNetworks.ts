import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Type } from 'typebox'
import { WrongOption } from '../../tools/wrongOption.ts'
import { readJson } from '../checkShape.ts'
import { type Entry, entrySchema, generateTokens } from './generateTokens.ts'

const networks = resolve(import.meta.dirname, '../../networks')

/**
 * A folder of network files with the devnet alone, whose list is filled up with generated tokens.
 * @returns the whole list, in its order
 * @throws WrongOption for fewer tokens than the devnet has
 */
export function writeNetworks(folder: string, count: number): Entry[] {
  const lists = join(folder, 'lists')
  mkdirSync(lists, { recursive: true })
  cpSync(join(networks, 'devnet.json'), join(folder, 'devnet.json'))
  cpSync(join(networks, 'lists', 'devnet'), join(lists, 'devnet'), { recursive: true })
  const path = join(lists, 'devnet', 'assets.json')
  const real = readJson(Type.Array(entrySchema), path)
  if (count < real.length) throw new WrongOption(`--tokens: found ${count}, expected at least the ${real.length} of the devnet`)
  const tokens = [...real, ...generateTokens(count - real.length, real)]
  writeFileSync(path, JSON.stringify(tokens))
  return tokens
}
