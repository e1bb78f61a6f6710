import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Devnet } from '@chainboard/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../testing/findProgram.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'

const doctor = findProgram('cli/doctor')

let devnet: Devnet
beforeAll(async () => {
  devnet = await startShortDevnet()
})
afterAll(() => devnet.stop())

type Ended = { readonly code: number; readonly text: string }

/** Runs the doctor as `npm run doctor` does. */
async function run(env: Readonly<Record<string, string>>): Promise<Ended> {
  const ended = promisify(execFile)(process.execPath, [doctor.script], { env: { ...doctor.env, ...env } })
  return ended.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }) => ({ code, text: `${stdout}${stderr}` }),
  )
}

describe('npm run doctor', () => {
  it('ends with 0 when nothing fails, and says so in the last line', async () => {
    const { code, text } = await run({ RPC_URL: devnet.rpcUrl })
    expect(text).toContain('Network devnet: Chainboard Devnet, chain id 31337, 16 tokens\n\nNodes\nok    RPC_URL.0 (127.0.0.1:')
    expect(text.trim().split('\n').at(-1)).toBe('21 ok, 1 warning, no failure')
    expect(code).toBe(0)
  })

  it('ends with 1 when something fails', async () => {
    const { code, text } = await run({ RPC_URL: `${devnet.rpcUrl},http://127.0.0.1:9` })
    expect(text.trim().split('\n').at(-1)).toBe('21 ok, 1 warning, 1 failure')
    expect(code).toBe(1)
  })

  it('ends with 2 when the configuration cannot be read, in the words of a start', async () => {
    const { code, text } = await run({ NETWORK: 'no-such-network' })
    expect(text).toContain('Chainboard cannot start: 3 problems in the configuration.')
    expect(code).toBe(2)
  })
})
