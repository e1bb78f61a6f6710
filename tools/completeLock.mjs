// Completes package-lock.json after a change of dependencies: `node tools/completeLock.mjs`.
// npm leaves out optional packages of other systems, and `npm ci` then refuses the lock elsewhere. They are added here with their
// checksums, which the registry in use has to know: what the lock does not vouch for is not installed (tools/lock.test.ts).
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(path, 'utf8'))
let added = 0
for (const [parent, entry] of Object.entries({ ...lock.packages })) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const places = [`${parent}/node_modules/${name}`, `node_modules/${name}`]
    if (places.some((place) => lock.packages[place])) continue
    const version = range.replace(/^[\^~]/, '')
    lock.packages[`node_modules/${name}`] = { version, ...readFacts(name, version), dev: true, optional: true }
    added += 1
  }
}
// npm runs on whatever Node there is and leaves out optional packages that want a newer one: but Node 24 is what will load them.
for (const entry of Object.values(lock.packages))
  if (entry.optional && /^>= ?2[1-9]/.test(entry.engines?.node)) delete entry.engines
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`package-lock.json: ${added} optional platform packages added`)

/** What the registry says of a package: its checksum, and the systems that it is for. */
function readFacts(name, version) {
  const args = ['view', `${name}@${version}`, 'dist.integrity', 'os', 'cpu', 'libc', '--json']
  const { 'dist.integrity': integrity, os, cpu, libc } = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' }))
  return { integrity, ...(os ? { os } : {}), ...(cpu ? { cpu } : {}), ...(libc ? { libc } : {}) }
}
