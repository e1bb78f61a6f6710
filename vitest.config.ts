import { defineConfig } from 'vitest/config'

// A busy machine takes its time: a condition is waited for as long as in the browser's tests, not Vitest's one second.
const patience = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 15_000 } } }

export default defineConfig({
  test: {
    // Both cores of a small machine: much of the time a test waits for a process of its own.
    maxWorkers: 2,
    projects: [
      ...['core', 'sdk', 'contracts', 'devnet', 'web'].map((name) => ({
        test: { name, include: [`${name}/**/*.test.ts`], ...patience },
      })),
      {
        // The price API's client as it is written here; programs of others get the built one.
        ssr: { resolve: { conditions: ['chainboard-source', 'module', 'node', 'development|production'] } },
        test: { name: 'server', include: ['server/**/*.test.ts'], globalSetup: 'server/testing/privatePostgres.ts', ...patience },
      },
      { test: { name: 'tools', include: ['tools/**/*.test.ts'], ...patience } },
    ],
  },
})
