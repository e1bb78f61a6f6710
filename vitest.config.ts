import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongFirst } from './tools/suite/longFirst.ts'
import { useMemory } from './tools/suite/useMemory.ts'

useMemory()
// Workers, and the servers and tools that tests start, find their code compiled already, as a server of `npm start` does.
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/node')

// A busy machine takes its time: a condition is waited for as long as in the browser's tests, not Vitest's one second.
const patience = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 15_000 } } }

const globalSetup = ['server/testing/provideStores.ts', 'server/testing/buildPrograms.ts']
const setupFiles = ['server/testing/compileOnce.ts', 'server/testing/reuseWriters.ts']

const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'))

export default defineConfig({
  test: {
    // Forty characters say what was compared and not what differed, and of a run elsewhere this line is all there is.
    chaiConfig: { truncateThreshold: 400 },
    // Twice the cores of a small machine: with three, two fifths of their time went unused, as tests wait for processes of their own.
    maxWorkers: 4,
    // An order of ours would be the only one, also where a random one is asked for.
    ...(isShuffled ? {} : { sequence: { sequencer: LongFirst } }),
    projects: [
      // Where files leave nothing behind in their process they share one, which loads what they use once. `isolate: false` has to
      // hold in any order: `npx vitest run --project server --sequence.shuffle.files`.
      ...['core', 'web', 'bench'].map((name) => ({
        test: { name, include: [`${name}/**/*.test.ts`], isolate: false, ...patience },
      })),
      {
        // The price API's client as it is written here; programs of others get the built one.
        ssr: { resolve: { conditions: ['chainboard-source', 'module', 'node', 'development|production'] } },
        test: { name: 'server', include: ['server/**/*.test.ts'], isolate: false, globalSetup, setupFiles, ...patience },
      },
      ...['sdk', 'contract', 'contracts', 'devnet', 'tools'].map((name) => ({
        test: { name, include: [`${name}/**/*.test.ts`], ...patience },
      })),
    ],
  },
})
