// `npm run advisories`: asks the registry for known vulnerabilities in the packages of the lock files.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { judgeAudit } from './judgeAudit.ts'

const root = resolve(import.meta.dirname, '..')
/** Exit codes: 0 nothing is known, 1 something is, 2 it cannot be found out. */
const [vulnerable, unknown] = [1, 2]

const offline = `This checkout ships no advisories: a copy would be out of date the next day. Without a registry that has them, use a scanner with a database of
its own on the archive's list of packages, sbom.cdx.json, for example: osv-scanner scan --sbom sbom.cdx.json`

let code = 0
for (const folder of ['.', 'tools/clients']) {
  // Linked packages are our own. npm ends with 1 when it finds something, and when it cannot ask.
  const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: join(root, folder), encoding: 'utf8' })
  const judged = judgeAudit(stdout)
  if (judged.kind === 'unknown') {
    console.error(`${folder}: cannot be checked (${judged.reason}).\n${offline}`)
    code = unknown
    break
  }
  for (const { name, severity, range } of judged.found) console.log(`${folder}: ${name} ${range} (${severity})`)
  if (judged.found.length > 0) code = vulnerable
  else console.log(`${folder}: no known vulnerability`)
}
process.exitCode = code
