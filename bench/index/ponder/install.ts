import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { runToEnd } from '../../children.ts'
import { npmEnv } from '../../inheritedEnv.ts'
import { NotMeasured } from '../../notMeasured.ts'

/** Not the registry's highest number: 1.0.0 is an older line than 0.16. */
export const ponderVersion = '0.16.10'
/** Versions of what is installed. */
export const packages = { ponder: ponderVersion, viem: '2.57.1', hono: '4.10.0' }
const installMsMax = 300_000

/**
 * Installs Ponder for the benchmark alone, outside the project; kept in the temporary folder for the next time.
 * @returns the folder with its `node_modules`
 * @throws NotMeasured with what npm says
 */
export async function installPonder(signal: AbortSignal): Promise<string> {
  const home = join(claimCache(), `ponder-${ponderVersion}`)
  const stamp = join(home, 'installed')
  const wanted = JSON.stringify(packages)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return home
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  writeFileSync(
    join(home, 'package.json'),
    JSON.stringify({ name: 'bench', private: true, type: 'module', dependencies: packages }),
  )
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  await runToEnd({ command: 'npm', args, cwd: home, env: npmEnv() }, { msMax: installMsMax, signal })
  writeFileSync(stamp, wanted)
  return home
}

/** Programs run from here: no other user may have written them. */
function claimCache(): string {
  const { uid } = userInfo()
  const folder = join(tmpdir(), `chainboard-bench-cache-${uid}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = statSync(folder)
  if (uid >= 0 && found.uid !== uid) throw new NotMeasured(`${folder} belongs to another user`)
  chmodSync(folder, 0o700)
  return folder
}
