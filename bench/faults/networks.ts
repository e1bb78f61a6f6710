import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeNetworks } from '../board/writeNetworks.ts'
import { makeFolder } from '../children.ts'

const root = resolve(import.meta.dirname, '../..')

/**
 * A folder of network files, in which the devnet is a chain like any other. It goes with the benchmark.
 * @param tokens the list is filled up to so many with generated ones; absent: it is the devnet's own
 * @param from the project's folder of another version, whose files they are
 */
export function makeNetworks({
  tokens,
  from = root,
}: {
  readonly tokens?: number | undefined
  readonly from?: string
} = {}): string {
  const networksDir = join(makeFolder('networks'), 'networks')
  mkdirSync(join(networksDir, 'lists'), { recursive: true })
  if (tokens === undefined) cpSync(join(from, 'networks/lists/devnet'), join(networksDir, 'lists/devnet'), { recursive: true })
  else writeNetworks(networksDir, tokens)
  const network = JSON.parse(readFileSync(join(from, 'networks/devnet.json'), 'utf8'))
  // The devnet may start over, and its index follows at once. No other chain does that.
  network.chain.mayRestart = false
  writeFileSync(join(networksDir, 'devnet.json'), JSON.stringify(network))
  return networksDir
}
