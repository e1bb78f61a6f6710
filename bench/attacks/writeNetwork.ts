import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { LabToken } from './pools.ts'

const root = resolve(import.meta.dirname, '../..')
const lists = 'lists/devnet'

export type ListedOnStage = { readonly made: readonly LabToken[]; readonly stables: readonly string[] }

/**
 * The devnet's network files with an attacker's tokens in its list, in the folder. The chain may restart, as the devnet's: reorgs are
 * followed at once.
 * @param stables symbols of those made tokens that are called stable
 */
export function writeNetwork(folder: string, { made, stables }: ListedOnStage): string {
  const networksDir = join(folder, 'networks')
  mkdirSync(join(networksDir, lists), { recursive: true })
  const read = (path: string) => readFileSync(join(root, 'networks', path), 'utf8')
  const network = JSON.parse(read('devnet.json'))
  network.chain.pollMs = 50
  network.otherStables = made.filter(({ symbol }) => stables.includes(symbol)).map(({ address }) => address)
  const entries = made.map(({ symbol, address, decimals }) => {
    const kind = { category: 'Test', verified: false, logo: '/logos/devnet/ochr.svg' }
    return { name: symbol, symbol, address, decimals, ...kind }
  })
  const assets = [...JSON.parse(read(join(lists, 'assets.json'))), ...entries]
  writeFileSync(join(networksDir, 'devnet.json'), JSON.stringify(network))
  writeFileSync(join(networksDir, lists, 'assets.json'), JSON.stringify(assets))
  writeFileSync(join(networksDir, lists, 'highlighted.json'), read(join(lists, 'highlighted.json')))
  return networksDir
}
