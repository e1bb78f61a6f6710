import { parseArgs } from 'node:util'
import { runFuzz } from '../../server/testing/fuzz/runFuzz.ts'
import { startProduct } from '../api/product.ts'
import { CheckFailed } from '../checkFailed.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { NotMeasured } from '../notMeasured.ts'
import { parseCount } from '../parseCount.ts'
import { toHead } from '../sectionHead.ts'
import { toTable } from '../table.ts'
import { withDevnet } from '../withDevnet.ts'

export const usage = `npm run bench -- fuzz [--requests n] [--seed text] [--out file]
  --requests  to send (default 100000)
  --seed      decides the requests (default: the time)
  --out       the document with the section "Fuzz" (default docs/benchmarks.md)`

const loginCount = 50
const requestsMax = 100_000_000

/** Sends generated requests to the whole product on a live devnet. @throws CheckFailed with the requests whose answers are wrong */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: new Date().toISOString() },
      out: outOption,
    },
  })
  const count = parseCount({ option: 'requests', text: values.requests, max: requestsMax })
  const repeat = ['--requests', String(count), '--seed', values.seed]
  await measureSection({ name: 'fuzz', args: repeat, out: values.out }, async (measuring) => {
    const { report, seconds } = await sendRequests(count, values.seed, signal)
    return [
      ...toHead({
        ...measuring,
        title: 'Fuzz',
        about: `The whole product on a live devnet gets requests generated from the API's own description: valid, nearly valid and nonsense. There must be no answer
of 500 or above, no broken connection, and nothing that the description does not allow.`,
      }),
      `${report.sent} requests in ${seconds.toFixed(0)} s, ${report.kept.size} different operations with their statuses.`,
      toTable(
        ['Status', 'Answers'],
        Object.entries(report.statuses).map(([status, answers]) => [status, String(answers)]),
      ),
    ].join('\n\n')
  })
}

function sendRequests(count: number, seed: string, signal: AbortSignal) {
  return withDevnet({ live: true, signal }, async (devnet) => {
    const { server, url, ...operator } = await startProduct(
      devnet.rpcUrl,
      { PROXIES: '1', PUBLIC_URL: 'http://127.0.0.1' },
      signal,
    )
    const known = {
      addresses: [...devnet.tokens, ...devnet.pools, ...devnet.accounts].map(({ address }) => address),
      words: [...devnet.tokens.map(({ symbol }) => symbol), 'ada', '1d', 'devnet', 'eth_call'],
      logins: await operator.signLogins(loginCount),
      keyIds: await operator.makeKeys(loginCount),
    }
    const document = await (await fetch(`${url}/api/openapi.json`)).json()
    const startMs = performance.now()
    const onProgress = (sent: number) => console.log(`${sent} sent`)
    const report = await runFuzz({ url, document, known, count, seed, signal, onProgress })
    const seconds = (performance.now() - startMs) / 1_000
    signal.throwIfAborted()
    if (report.faultCount > 0)
      throw new CheckFailed(`${report.faultCount} faults with the seed ${seed}:\n${report.faults.join('\n')}`)
    if (server.process.exitCode !== null) throw new NotMeasured(`the server ended: ${await server.gone}`)
    await server.stop()
    return { report, seconds }
  })
}
