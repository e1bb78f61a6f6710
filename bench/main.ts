// `npm run bench -- <name>`: measures one thing on this machine, prints it and writes it into docs/benchmarks.md.
import { isWrongOption } from '../tools/wrongOption.ts'
import { benchmarks } from './benchmarks.ts'
import { CheckFailed } from './checkFailed.ts'
import { endEverything } from './children.ts'

const [name = '', ...args] = process.argv.slice(2)
const benchmark = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined
if (!benchmark) {
  const list = Object.entries(benchmarks).map(([each, { about }]) => `  ${each.padEnd(10)} ${about}`)
  console.error([name ? `There is no benchmark "${name}".` : 'Which benchmark?', 'npm run bench -- <name>', ...list].join('\n'))
  process.exit(2)
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // The first one ends in order what runs; the second one ends it at once.
  process.on(signal, () => (stopping.signal.aborted ? process.exit(130) : stopping.abort(new Error(`Stopped by ${signal}`))))
}
const { usage, run } = await benchmark.load()
if (args.includes('--help')) {
  console.log(usage)
  process.exit(0)
}
try {
  await run(args, stopping.signal)
} catch (error) {
  console.error(
    stopping.signal.aborted
      ? String(stopping.signal.reason.message)
      : isWrongOption(error)
        ? `${error.message}\n${usage}`
        : error instanceof CheckFailed
          ? error.message
          : error,
  )
  process.exitCode = stopping.signal.aborted ? 130 : 1
} finally {
  await endEverything()
  process.exit()
}
