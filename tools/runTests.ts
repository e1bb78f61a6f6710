// `npm test`: runs every part of the suite, also after one that failed, and sums them up. The last line has the totals alone.
import { parts } from './suite/parts.ts'
import { runParts } from './suite/runParts.ts'
import { summarize } from './suite/summary.ts'

const interruptedCode = 130
const [unknown] = process.argv.slice(2)
if (unknown !== undefined) {
  console.error(`npm test runs everything and takes no arguments, but got ${unknown}: use npm run unit -- or npm run e2e --`)
  process.exit(2)
}

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort())

const results = await runParts(parts, interruption.signal)
console.log(summarize(results))
if (results.some(({ fault }) => fault !== undefined)) process.exitCode = interruption.signal.aborted ? interruptedCode : 1
