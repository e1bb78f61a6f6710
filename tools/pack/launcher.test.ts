import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listCommands, toLauncher } from './launcher.ts'

describe('listCommands', () => {
  it('takes the scripts that run a command of the server, and no others', () => {
    const scripts = {
      start: 'exec node tools/start.ts',
      bench: 'node bench/main.ts',
      doctor: 'node server/cli/doctor.ts',
      'sign-in-code': 'node server/cli/signInCode.ts',
    }
    expect(listCommands(scripts)).toEqual([
      { name: 'doctor', program: 'doctor' },
      { name: 'sign-in-code', program: 'signInCode' },
    ])
  })
})

describe("the archive's program", () => {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard launcher '))
  const launcher = join(folder, 'chainboard')
  beforeAll(() => {
    mkdirSync(join(folder, 'server'))
    const commands = ['init', 'sign-in-code'].map((name) => ({ name, program: name === 'init' ? 'init' : 'signInCode' }))
    put('chainboard', toLauncher(commands, { flags: ['--some-flag=8'], env: { SOME_SETTING: '1' }, machine: 'linux-x64' }))
    // In Node's place: says which it is, or what it was started with.
    put('node24', `#!/bin/sh\n[ "$1" = -p ] && echo 24.1.0 linux-x64 \${CORES:-2} && exit\necho "$SOME_SETTING" "$@"\n`)
    put('node20', '#!/bin/sh\n[ "$1" = -p ] && echo 20.20.2 linux-x64 2\n')
    put('nodeArm', '#!/bin/sh\n[ "$1" = -p ] && echo 24.1.0 linux-arm64 2\n')
    put('nodeBroken', '#!/bin/sh\necho "node: bad option: --nothing" >&2\nexit 9\n')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function put(name: string, text: string): void {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }

  type Ended = { readonly stdout: string; readonly stderr: string; readonly code?: number }

  async function run(args: string[], env: Record<string, string> = {}, file = launcher): Promise<Ended> {
    const all = { PATH: '/usr/bin:/bin', NODE: join(folder, 'node24'), ...env }
    return promisify(execFile)(file, args, { env: all }).catch((error: Ended) => error)
  }

  it('is the server, with its flags and settings', async () => {
    const { stdout } = await run([], { NETWORK: 'mychain' })
    expect(stdout).toBe(`1 --some-flag=8 --v8-pool-size=1 ${folder}/server/main.js\n`)
  })

  it.each([
    ['1', 1],
    ['2', 1],
    ['4', 3],
    ['64', 4],
  ])('lets V8 help itself with fewer threads than the %s cores: %i', async (cores, threads) => {
    const { stdout } = await run([], { NETWORK: 'mychain', CORES: cores })
    expect(stdout).toContain(` --v8-pool-size=${threads} `)
  })

  it('finds its programs through a link to it', async () => {
    symlinkSync(launcher, join(folder, 'link'))
    const { stdout } = await run([], { NETWORK: 'mychain' }, join(folder, 'link'))
    expect(stdout).toBe(`1 --some-flag=8 --v8-pool-size=1 ${folder}/server/main.js\n`)
  })

  it('is a command, with arguments as they are', async () => {
    const { stdout } = await run(['sign-in-code', 'a b', '*'], { NETWORK: 'mychain' })
    expect(stdout).toBe(` ${folder}/server/signInCode.js a b *\n`)
  })

  it('asks for a network before the server or a command starts, but not for the command that makes one', async () => {
    for (const args of [[], ['sign-in-code']]) {
      const { stderr, code } = await run(args)
      expect([code, stderr]).toEqual([2, expect.stringContaining('Set NETWORK to the name of a network file in networks/')])
    }
    expect((await run(['init'])).stdout).toBe(` ${folder}/server/init.js\n`)
  })

  it('refuses a Node that is too old, or none', async () => {
    const old = await run([], { NODE: join(folder, 'node20') })
    expect([old.code, old.stderr]).toEqual([2, `Chainboard needs Node 24 or newer. '${folder}/node20' is Node 20.20.2\n`])
    const none = await run([], { NODE: join(folder, 'nowhere') })
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining(`found no '${folder}/nowhere'`)])
  })

  it('refuses a Node of another machine, and hands on what a Node says that does not run', async () => {
    const arm = await run([], { NODE: join(folder, 'nodeArm') })
    expect([arm.code, arm.stderr]).toEqual([2, expect.stringContaining('This archive is for linux-x64, and')])
    const broken = await run([], { NODE: join(folder, 'nodeBroken') })
    expect([broken.code, broken.stderr]).toEqual([2, 'node: bad option: --nothing\n'])
  })

  it('says what it can do when it is asked, and when it does not know a command', async () => {
    const help = await run(['help'])
    expect(help.stdout).toBe(`Usage: chainboard [command] [arguments]
  Without a command, it runs the server until it is stopped.
  Commands: init sign-in-code
`)
    const unknown = await run(['sign-in'], { NETWORK: 'mychain' })
    expect([unknown.code, unknown.stderr]).toEqual([2, `Chainboard has no command 'sign-in'\n${help.stdout}`])
  })
})
