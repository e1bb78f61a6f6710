import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** The environment of the site that browser tests use: a devnet of its own, with data that are gone with this process. */
export function makeSiteEnv(port: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-e2e-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { HOST: '127.0.0.1', PORT: port, DATA_DIR: folder, NETWORKS_DIR: writeNetworks(folder), LOG_LEVEL: 'warn' }
}

/** The devnet with a shorter window: a price follows its market while a test looks at it. */
function writeNetworks(folder: string): string {
  const networks = join(folder, 'networks')
  cpSync(join(root, 'networks'), networks, { recursive: true })
  const file = join(networks, 'devnet.json')
  const { prices, ...network }: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...network, prices: Object.assign({}, prices, { windowSeconds: 60 }) }))
  return networks
}
