import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { WrongOption } from '../../tools/wrongOption.ts'
import { startProduct } from '../api/product.ts'
import { CheckFailed } from '../checkFailed.ts'
import { forkChild } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { giveWay } from '../processorShare.ts'
import { withDevnet } from '../withDevnet.ts'
import { type AttackName, attackNames, contracts } from './attack.ts'
import { measureAttack, type Result, type Stage } from './measure.ts'
import { listFaults, toSection } from './report.ts'

export const usage = `npm run bench -- gateway [--seconds n] [--connections n] [--addresses n] [--sockets n] [--only attacks] [--out file]
  --seconds      of each attack (default 20)
  --connections  that call at the same time (default 64)
  --addresses    that they call from, each in a network of its own (default 200)
  --sockets      idle connections of the attack "sockets" (default 5000)
  --only         attacks, separated by commas, of ${attackNames.slice(1).join(', ')}; the document is not written then
  --out          the document with the section "Gateway" (default docs/benchmarks.md)`

/** A visitor's reads take no longer than so many times what they take without an attack. */
const timesMax = 2
const attackerNice = 10
const windowMs = 61_000

/** Attacks the gateway in several ways. @throws CheckFailed when the site, its chain or its status suffered */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '20' },
      connections: { type: 'string', default: '64' },
      addresses: { type: 'string', default: '200' },
      sockets: { type: 'string', default: '5000' },
      only: { type: 'string' },
      out: outOption,
    },
  })
  const seconds = parseCount({ option: 'seconds', text: values.seconds, min: 3, max: 600 })
  const connections = parseCount({ option: 'connections', text: values.connections, max: 1_000 })
  const addresses = parseCount({ option: 'addresses', text: values.addresses, max: 60_000 })
  const sockets = parseCount({ option: 'sockets', text: values.sockets, max: 30_000 })
  const { only, out } = values
  const names = only === undefined ? attackNames : (['none', ...parseNames(only)] as const)
  await measureSection({ name: 'gateway', args, out: only === undefined ? out : undefined }, async (measuring) => {
    const results = await attackEach(names, { seconds, connections, addresses, sockets }, signal)
    const section = toSection({ ...measuring, results, seconds, connections, addresses, sockets })
    const faults = listFaults(results, timesMax)
    if (faults.length > 0) throw new CheckFailed(`${section}\n\n${faults.join('\n')}`)
    return section
  })
}

function parseNames(text: string): AttackName[] {
  return text.split(',').map((each) => {
    const name = attackNames.find((known) => known === each)
    if (!name) throw new WrongOption(`--only: found ${each}, expected some of ${attackNames.slice(1).join(', ')}`)
    return name
  })
}

type Size = { readonly seconds: number; readonly connections: number; readonly addresses: number; readonly sockets: number }

function attackEach(names: readonly AttackName[], size: Size, signal: AbortSignal): Promise<Result[]> {
  const { seconds, connections, addresses, sockets } = size
  return withDevnet({ live: true, history: 'short', signal }, async (devnet) => {
    for (const { address, code } of Object.values(contracts)) await devnet.rpc('anvil_setCode', [address, code])
    // Whose call it is stands in a header: one machine has one address.
    const product = await startProduct(devnet.rpcUrl, { PROXIES: '1', PUBLIC_URL: 'http://127.0.0.1' }, signal)
    const stage: Stage = {
      url: product.url,
      headOf: async () => Number(await devnet.rpc<string>('eth_blockNumber')),
      reader: forkChild('the reader', join(import.meta.dirname, 'siteReader.ts')),
      attacker: forkChild('the attacker', join(import.meta.dirname, 'attacker.ts')),
      signal,
    }
    giveWay(stage.attacker.pid, attackerNice)
    const results: Result[] = []
    for (const [place, name] of names.entries()) {
      // The budgets that the last attack has used up begin again.
      if (place > 1) await sleep(windowMs, undefined, { signal })
      console.log(`gateway: ${name}`)
      const lines = name === 'sockets' ? sockets : connections
      results.push(await measureAttack(stage, { url: product.url, name, ms: seconds * 1_000, connections: lines, addresses }))
    }
    await product.server.stop()
    return results
  })
}
