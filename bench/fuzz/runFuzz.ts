import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startDevnet } from '@chainboard/devnet'
import { runFuzz } from '../../server/testing/fuzz/runFuzz.ts'
import { startProduct } from '../api/product.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { toTable } from '../table.ts'

export const usage = `npm run bench -- fuzz [--requests n] [--seed text] [--out file]
  --requests  (default 100000)
  --seed      another one makes other requests (default: the time)
  --out       the document whose section "Fuzz" is written (default docs/benchmarks.md)`

const loginCount = 50
const requestsMax = 100_000_000

/** Sends made-up requests to the whole product on a live devnet. @throws Error with the requests that found something */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: new Date().toISOString() },
      out: { type: 'string', default: resolve(import.meta.dirname, '../../docs/benchmarks.md') },
    },
  })
  const count = parseCount({ option: 'requests', text: values.requests, max: requestsMax, usage })
  const machine = describeMachine()
  const devnet = await startDevnet({ live: true, signal, onProgress: (text) => console.log(`devnet: ${text}`) })
  try {
    const { server, url, ...operator } = await startProduct(devnet.rpcUrl, { signal, PROXIES: '1' })
    const known = {
      addresses: [...devnet.tokens, ...devnet.pools, ...devnet.accounts].map(({ address }) => address),
      words: [...devnet.tokens.map(({ symbol }) => symbol), 'ada', '1d', 'devnet', 'eth_call'],
      logins: await operator.signLogins(loginCount),
      keyIds: await operator.makeKeys(loginCount),
    }
    const document = await (await fetch(`${url}/api/openapi.json`)).json()
    const startMs = performance.now()
    const onProgress = (sent: number) => console.log(`${sent} sent`)
    const report = await runFuzz({ url, document, known, count, seed: values.seed, signal, onProgress })
    const seconds = (performance.now() - startMs) / 1_000
    signal.throwIfAborted()
    if (report.faultCount > 0)
      throw new Error(`${report.faultCount} faults with the seed ${values.seed}:\n${report.faults.join('\n')}`)
    if (server.process.exitCode !== null) throw new Error(`the server ended: ${await server.gone}`)
    await server.stop()
    const section = [
      '## Fuzz',
      `Requests made out of the API's own description, right ones, nearly right ones and rubbish, to the whole product on a live devnet: no
answer of 500 or above, no broken line, nothing that the description does not say.`,
      `\`\`\`sh\nnpm run bench -- fuzz --requests ${count} --seed ${values.seed}\n\`\`\``,
      machine.words.map((line) => `- ${line}`).join('\n'),
      `${report.sent} requests in ${seconds.toFixed(0)} s, ${report.kept.size} different operations with their statuses.`,
      toTable(
        ['Status', 'Answers'],
        Object.entries(report.statuses).map(([status, answers]) => [status, String(answers)]),
      ),
    ].join('\n\n')
    console.log(`\n${section}`)
    writeSection(values.out, 'fuzz', section)
    console.log(`Written to ${values.out}`)
  } finally {
    await devnet.stop()
  }
}
