// Adds to package-lock.json the optional platform packages that npm left out because the registry in use does not carry
// them: `npm ci` refuses a lock that misses one. Run after every change of dependencies: `node tools/completeLock.mjs`.
import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(path, 'utf8'))
let added = 0
for (const [parent, entry] of Object.entries({ ...lock.packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const places = [`${parent}/node_modules/${name}`, `node_modules/${name}`]
    if (places.some((place) => lock.packages[place])) continue
    const [, os, cpu] =
      /(darwin|linux|win32|freebsd|android|openbsd|netbsd|sunos|aix|openharmony)[-_]?(x64|arm64|arm|ia32|amd64|riscv64|ppc64|s390x|loong64|mips64el)?/.exec(
        name,
      ) ?? []
    lock.packages[`node_modules/${name}`] = {
      version: version.replace(/^[\^~]/, ''),
      dev: true,
      optional: true,
      ...(os ? { os: [os] } : {}),
      ...(cpu ? { cpu: [cpu === 'amd64' ? 'x64' : cpu] } : {}),
      ...(os === 'linux' ? { libc: [name.includes('musl') ? 'musl' : 'glibc'] } : {}),
    }
    added += 1
  }
}
// npm runs on whatever Node there is and leaves out optional packages that want a newer one: but Node 24 is what will load them.
for (const entry of Object.values(lock.packages))
  if (entry.optional && /^>= ?2[1-9]/.test(entry.engines?.node)) delete entry.engines
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`package-lock.json: ${added} optional platform packages added`)
