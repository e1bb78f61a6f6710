import { parseArgs } from 'node:util'
import { expect, it } from 'vitest'
import { WrongOption } from '../tools/wrongOption.ts'
import { benchmarks } from './benchmarks.ts'

const { signal } = new AbortController()

it.each([
  ['added', ['--quotes', 'some'], '--quotes: found some, expected listed or unlisted'],
  ['added', ['--range', '9'], '--range: found 9, expected a whole number from 10 to 1000000000'],
  ['api', ['--rounds', '0'], '--rounds: found 0, expected a whole number from 1 to 100'],
  ['api', ['--tokens', '19'], '--tokens: found 19, expected a whole number from 20 to 20000'],
  ['attacks', ['--only', 'swing,nothing'], '--only: found nothing, expected '],
  ['attacks', ['--docs', '--quick'], '--docs: expected neither --only nor --quick'],
  ['backfill', ['--blocks', '100', '--first', '101'], '--first: found 101, expected a whole number from 0 to 100'],
  ['board', ['--tokens', '50001'], '--tokens: found 50001, expected a whole number from 20 to 50000'],
  ['chain', ['--blocks', 'all'], '--blocks: found all, expected a whole number from 1 to 100000000'],
  ['drain', ['--requests', '99'], '--requests: found 99, expected a whole number from 100 to 10000000'],
  ['faults', ['--only', 'earthquake'], '--only: found earthquake, expected part of: latency 5 s; '],
  ['faults', ['--lanes', '9'], '--lanes: found 9, expected a whole number from 1 to 8'],
  ['fuzz', ['--requests', '1.5'], '--requests: found 1.5, expected a whole number from 1 to 100000000'],
  ['history', ['--store', 'both'], '--store: found both, expected sqlite or postgres'],
  ['index', ['--swaps', '1001'], '--swaps: found 1001, expected a whole number from 1 to 1000'],
  ['kills', ['--kills', '0'], '--kills: found 0, expected a whole number from 1 to 10000'],
  ['mutants', ['--at-once', '0'], '--at-once: found 0, expected a whole number from 1 to '],
  ['nodes', ['--first', '0'], '--first: found 0, expected a whole number from 1 to 100000000'],
  ['overload', ['--seconds', '601'], '--seconds: found 601, expected a whole number from 1 to 600'],
  ['page', ['--runs', ''], '--runs: found , expected a whole number from 1 to 100'],
  ['pin', ['--users', '100001'], '--users: found 100001, expected a whole number from 1 to 100000'],
  ['portfolio', ['--wallets', '51'], '--wallets: found 51, expected a whole number from 1 to 50'],
  ['soak', ['--minutes', '1'], '--minutes: found 1, expected a whole number from 2 to 10000'],
  ['start', ['--per-second', '0'], '--per-second: found 0, expected a whole number from 1 to 100000'],
  ['stories', ['--families', 'honest,sad'], '--families: found sad, expected some of honest'],
  ['stream', ['--readers', '4'], '--readers: found 4, expected a whole number from 5 to 4500'],
  ['subgraph', ['--calls', '0'], '--calls: found 0, expected a whole number from 1 to 100000'],
])('%s refuses %j before it starts anything', async (name, args, message) => {
  const refused = (await benchmarks[name]?.load())?.run([...args], signal)
  const error: unknown = await refused?.catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(WrongOption)
  expect(String(error)).toContain(message)
})

it.each(Object.keys(benchmarks))('%s describes each of its options, and the document it writes', async (name) => {
  const { usage = '' } = (await benchmarks[name]?.load()) ?? {}
  const [first = '', ...lines] = usage.split('\n')
  expect(first).toMatch(new RegExp(`^npm run bench -- ${name}( |$)`))
  const named = new Set([...usage.matchAll(/\[?(--[a-z-]+)/g)].map(([, option = '']) => option))
  const described = new Set(
    lines.flatMap((line) =>
      [...line.matchAll(/^ {2}(--[a-z-]+)|, (--[a-z-]+) at most|; (--only)[ :]/g)].flatMap(([, ...found]) => found),
    ),
  )
  expect([...named].filter((option) => !described.has(option))).toEqual([])
  expect(usage).toContain('(default docs/')
})

it('takes an option that it does not have for wrong', () => {
  expect(() => parseArgs({ args: ['--round', '1'], options: {} })).toThrow("Unknown option '--round'")
})
