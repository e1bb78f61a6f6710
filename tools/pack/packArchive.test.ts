import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildPage } from '../builtPage.ts'
import { type Archive, packArchive } from './packArchive.ts'

const root = resolve(import.meta.dirname, '../..')
const madeAtSeconds = 1_700_000_000
/** 12 MB as it is: room to grow, none for a package that only tests use. */
const unpackedBytesMax = 30_000_000

describe('the archive', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-archive-'))
  let archive: Archive
  let unpacked: string
  beforeAll(async () => {
    archive = await packArchive(join(folder, 'first'), madeAtSeconds)
    execFileSync('tar', ['xzf', archive.file, '-C', folder])
    unpacked = join(folder, `chainboard-0.1.0-${process.platform}-${process.arch}`)
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('has the same bytes when it is made again, and nothing of whoever packs: no file that git does not know', async () => {
    const stray = join(root, 'deploy', '.env')
    onTestFinished(() => rmSync(stray, { force: true }))
    writeFileSync(stray, 'SECRET=1')
    const again = await packArchive(join(folder, 'second'), madeAtSeconds)
    expect(readFileSync(again.file).equals(readFileSync(archive.file))).toBe(true)
  }, 120_000)

  it('is what its checksums say, inside and out', () => {
    execFileSync('sha256sum', ['--check', '--quiet', `${archive.file}.sha256`], { cwd: join(folder, 'first') })
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: unpacked })
    const sums = readFileSync(join(unpacked, 'SHA256SUMS'), 'utf8').trim().split('\n')
    const files = readdirSync(unpacked, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(sums).toHaveLength(files.length - 1)
  })

  it('comes with a statement of what it was made of, which a second build confirms', () => {
    const read = (folderName: string) =>
      JSON.parse(readFileSync(join(folder, folderName, `${basename(archive.file)}.provenance.json`), 'utf8'))
    const { subject, predicateType, predicate } = read('first')
    expect(predicateType).toBe('https://slsa.dev/provenance/v1')
    const [sum] = readFileSync(`${archive.file}.sha256`, 'utf8').split(' ')
    expect(subject).toEqual([{ name: `chainboard-0.1.0-${process.platform}-${process.arch}.tar.gz`, digest: { sha256: sum } }])
    expect(read('second').subject).toEqual(subject)
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
    const [lock] = execFileSync('sha256sum', ['package-lock.json'], { cwd: root, encoding: 'utf8' }).split(' ')
    const { externalParameters, resolvedDependencies } = predicate.buildDefinition
    expect(resolvedDependencies).toEqual([
      { name: 'source', digest: { gitCommit: commit } },
      { name: 'package-lock.json', digest: { sha256: lock } },
    ])
    expect(externalParameters).toMatchObject({ SOURCE_DATE_EPOCH: 1_700_000_000, changedSinceCommit: expect.any(Array) })
    // The second one is made while a file lies there that the commit does not have.
    expect(read('second').predicate.buildDefinition.externalParameters.changedSinceCommit).toContain('deploy/.env')
  })

  it('has the page whose first load the test of the budget measures', () => {
    const measured = join(folder, 'page')
    buildPage(measured, 'page')
    const list = (page: string) => {
      const names = readdirSync(page, { recursive: true, encoding: 'utf8' })
      const loaded = names.filter((name) => /^(assets\/)?[^/]+\.(js|css|html)$/.test(name)).sort()
      return execFileSync('sha256sum', loaded, { cwd: page, encoding: 'utf8' }).split('\n')
    }
    expect(list(join(unpacked, 'web/dist'))).toEqual(list(measured))
  }, 120_000)

  it('is small, and has of packages only machine code, the renderer of pictures and its font', () => {
    expect(archive.unpackedBytes).toBeLessThan(unpackedBytesMax)
    expect(readdirSync(join(unpacked, 'node_modules'))).toEqual(['@fontsource', '@node-rs', '@resvg'])
    const listOf = (name: string) => readdirSync(join(unpacked, 'node_modules', name), { recursive: true }).sort()
    expect(listOf('@resvg/resvg-wasm')).toEqual(['index_bg.wasm', 'package.json'])
    expect(listOf('@fontsource/inter')).toEqual([
      ...['LICENSE', 'files', 'files/inter-cyrillic-600-normal.woff', 'files/inter-greek-600-normal.woff'],
      ...['files/inter-latin-400-normal.woff', 'files/inter-latin-400-normal.woff2', 'files/inter-latin-600-normal.woff'],
      ...[
        'files/inter-latin-600-normal.woff2',
        'files/inter-latin-ext-600-normal.woff',
        'files/inter-vietnamese-600-normal.woff',
      ],
      'package.json',
    ])
    expect(readdirSync(join(unpacked, 'server')).filter((file) => file.endsWith('.ts'))).toEqual([])
  })

  it('has programs of one byte a letter: V8 keeps the text of one that has others in two', () => {
    const programs = readdirSync(join(unpacked, 'server')).filter((file) => file.endsWith('.js'))
    expect(programs.length).toBeGreaterThan(10)
    const wide = programs.filter((file) => /[\u0100-\uffff]/.test(readFileSync(join(unpacked, 'server', file), 'utf8')))
    expect(wide).toEqual([])
  })

  it('names what is in it: packages of the server, of the page, and none of the tests', () => {
    const { components } = JSON.parse(readFileSync(join(unpacked, 'sbom.cdx.json'), 'utf8'))
    const names = components.map(({ name }: { name: string }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        ...['fastify', 'pg', 'react', '@node-rs/argon2', '@fontsource-variable/inter', 'tailwindcss'],
        ...['@resvg/resvg-wasm', '@fontsource/inter', 'opentype.js'],
      ]),
    )
    for (const name of ['vitest', 'hardhat', 'esbuild', 'typescript']) expect(names).not.toContain(name)
    const notices = readFileSync(join(unpacked, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const name of names) expect(notices).toContain(`\n${name} `)
  })

  describe('when it runs', () => {
    const dataDir = join(folder, 'data')
    const networksDir = join(folder, 'networks')
    const env = {
      // Nothing of this project: programs of the system, and the Node that runs this.
      ...{ PATH: '/usr/bin:/bin', NODE: process.execPath, HOME: folder },
      ...{ NETWORK: 'somewhere', NETWORKS_DIR: networksDir, DATA_DIR: dataDir, PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'error' },
      RPC_URL: 'http://127.0.0.1:1',
    }
    let server: ChildProcess
    let url = ''
    beforeAll(async () => {
      const from = (path: string) => join(root, 'networks', path)
      cpSync(from('lists/ethereum-classic'), join(networksDir, 'lists/somewhere'), { recursive: true })
      cpSync(from('ethereum-classic.json'), join(networksDir, 'somewhere.json'))
      server = spawn(join(unpacked, 'chainboard'), { env, cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
      url = await new Promise((found, fail) => {
        let said = ''
        server.stdout?.on('data', (chunk) => {
          said += chunk
          const [, at] = /listens at (\S+)/.exec(said) ?? []
          if (at) found(at)
        })
        server.on('exit', (code) => fail(new Error(`The server ended with ${code}: ${said}`)))
      })
    })
    afterAll(async () => {
      if (server.exitCode !== null) return
      server.kill('SIGKILL')
      await new Promise((ended) => server.once('exit', ended))
    })

    it('serves the page with its scripts', async () => {
      const page = await fetch(url)
      const html = await page.text()
      const [, script = ''] = /<script [^>]*(?:data-start|type="module"[^>]* src)="([^"]+)"/.exec(html) ?? []
      expect(script).toMatch(/^\/assets\/.+\.js$/)
      expect((await fetch(url + script)).status).toBe(200)
    })

    it('draws the picture of a token', async () => {
      const [, address] = /"address":"(0x\w{40})"/.exec(await (await fetch(`${url}/assets.json`)).text()) ?? []
      const picture = await fetch(`${url}/token/${address}/share.png`)
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
    })

    it('hashes a PIN, stores a user, and runs the thread of queries', async () => {
      const post = (path: string, body: object) =>
        fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
      const registered = await post('/api/users', { username: 'packed', pin: '4711' })
      expect([registered.status, await registered.text()]).toEqual([201, expect.stringContaining('packed')])
      const queried = await post('/subgraph', { query: '{ __schema { queryType { name } } }' })
      expect(await queried.json()).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } })
    })

    it('saves and ends in order', async () => {
      const file = join(folder, 'saved.backup')
      execFileSync(join(unpacked, 'chainboard'), ['backup', file], { env })
      expect(readFileSync(file).length).toBeGreaterThan(1_000)
      server.kill('SIGTERM')
      const code = await new Promise((ended) => server.once('exit', ended))
      expect(code).toBe(0)
    })
  })
})
