// Runs before `npm start` and `npm test`, on whatever Node there is: installs what is missing and builds what is stale.
// A second run with nothing changed does nothing.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const purpose = process.argv[2] === 'test' ? 'test' : 'start'
const stamps = join(root, 'node_modules', '.chainboard')
const path = `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`

if (Number(process.versions.node.split('.')[0]) < 20) fail(`Node ${process.versions.node} is too old; 20 or newer is required`)

once('packages', hashOf(['package-lock.json']), () =>
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], 'Installing packages'),
)
const node = execFileSync('node', ['-v'], { env: { ...process.env, PATH: path }, encoding: 'utf8' }).trim()
if (!node.startsWith('v24.'))
  fail(`Found Node ${node}, expected 24. The project installs it on Linux with glibc (x64, arm64). Elsewhere, install it first`)

once(
  'web',
  hashOf([...['web', 'core', 'contract', 'sdk'].flatMap(filesUnder), 'package-lock.json']),
  () => run('npm', ['run', 'build', '-w', 'web'], 'Building the page'),
  existsSync(join(root, 'web', 'dist', 'index.html')),
)

once('compiled', hashOf([...filesUnder('server'), ...filesUnder('core'), ...filesUnder('contract')]), () =>
  run('node', ['tools/warm.ts'], 'Compiling the server', {
    PATH: path,
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
  }),
)

if (purpose === 'test') {
  installClients()
  installForTests()
}

/** Clients of other people that the tests speak through. They are no part of the product, so their install is one of its own. */
function installClients() {
  const folder = join('tools', 'clients')
  const arguments_ = ['ci', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error']
  once(
    'clients',
    hashOf([join(folder, 'package.json'), join(folder, 'package-lock.json')]),
    () => run('npm', arguments_, 'Installing the clients that the tests use', {}, join(root, folder)),
    existsSync(join(root, folder, 'node_modules')),
  )
}

/** Debian's browser and databases, for suites that need the real thing. Elsewhere than on Debian as root: says what is missing. */
function installForTests() {
  // This one opens a page in half the time of the whole browser, which makes a window even where nobody sees it.
  const shell = '/usr/bin/chromium-headless-shell'
  const hasChromium = existsSync('/usr/bin/chromium')
  if (!existsSync(shell)) installPackage('chromium-headless-shell', hasChromium)
  if (!hasPostgres()) installPackage('postgresql')
  if (!existsSync(shell) && !hasChromium) warnMissing('chromium-headless-shell or chromium', 'the browser tests (npm run e2e)')
  if (!hasPostgres()) warnMissing('postgresql', 'the PostgreSQL half of the store tests')
}

/** Does nothing where packages cannot be installed; a package that cannot be had ends the run unless it `mayFail`. */
function installPackage(name, mayFail = false) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  run('apt-get', ['update', '-qq'], 'Reading the package lists', env, root, mayFail)
  // The databases are started by the tests themselves: no service of Debian's own is wanted.
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], `Installing ${name}`, env, root, mayFail)
}

function warnMissing(name, suites) {
  console.warn(`Missing: ${name}. Skipped without it: ${suites}.`)
}

function hasPostgres() {
  const versions = '/usr/lib/postgresql'
  return existsSync(versions) && readdirSync(versions).some((version) => existsSync(join(versions, version, 'bin', 'initdb')))
}

/** Runs `work` unless it ended well before with the same `key`. */
function once(name, key, work, stillThere = true) {
  const stamp = join(stamps, name)
  if (stillThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return
  work()
  mkdirSync(stamps, { recursive: true })
  writeFileSync(stamp, key)
}

function run(command, args, title, env = {}, cwd = root, mayFail = false) {
  console.log(`${title} …`)
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
  if (status !== 0 && !mayFail) fail(`${title}: \`${command} ${args.join(' ')}\` failed${error ? ` (${error.message})` : ''}`)
}

function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function filesUnder(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((name) => !/node_modules|[\\/]dist([\\/]|$)|\.test\.tsx?$/.test(name) && statSync(join(root, name)).isFile())
    .sort()
}

function fail(text) {
  console.error(text)
  process.exit(1)
}
