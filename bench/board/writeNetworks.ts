import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Entry, generateTokens } from './generateTokens.ts'

const networks = resolve(import.meta.dirname, '../../networks')

/**
 * A folder of network files with the devnet alone, whose list is filled up with made-up tokens.
 * @returns the whole list, in its order
 */
export function writeNetworks(folder: string, count: number): Entry[] {
  const lists = join(folder, 'lists')
  mkdirSync(lists, { recursive: true })
  cpSync(join(networks, 'devnet.json'), join(folder, 'devnet.json'))
  cpSync(join(networks, 'lists', 'devnet'), join(lists, 'devnet'), { recursive: true })
  const path = join(lists, 'devnet', 'assets.json')
  const real = JSON.parse(readFileSync(path, 'utf8')) as Entry[]
  if (count < real.length) throw new Error(`the devnet lists ${real.length} tokens: ${count} are too few`)
  const tokens = [...real, ...generateTokens(count - real.length, real)]
  writeFileSync(path, JSON.stringify(tokens))
  return tokens
}
