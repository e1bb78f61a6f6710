import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolder } from '../children.ts'

const root = resolve(import.meta.dirname, '../..')

/** A folder of network files, in which the devnet is a chain like any other. It goes with the benchmark. */
export function makeNetworks(): string {
  const networksDir = join(makeFolder('networks'), 'networks')
  mkdirSync(join(networksDir, 'lists'), { recursive: true })
  cpSync(join(root, 'networks/lists/devnet'), join(networksDir, 'lists/devnet'), { recursive: true })
  const network = JSON.parse(readFileSync(join(root, 'networks/devnet.json'), 'utf8'))
  // The devnet may start over, and its index follows at once. No other chain does that.
  network.chain.mayRestart = false
  writeFileSync(join(networksDir, 'devnet.json'), JSON.stringify(network))
  return networksDir
}
