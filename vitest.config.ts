import { defineConfig } from 'vitest/config'

const patience = { testTimeout: 60_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    // Both cores of a small machine: much of the time a test waits for a process of its own.
    maxWorkers: 2,
    projects: [
      ...['core', 'sdk', 'contracts', 'devnet', 'web'].map((name) => ({
        test: { name, include: [`${name}/**/*.test.ts`], ...patience },
      })),
      {
        test: { name: 'server', include: ['server/**/*.test.ts'], globalSetup: 'server/testing/privatePostgres.ts', ...patience },
      },
      { test: { name: 'tools', include: ['tools/**/*.test.ts'] } },
    ],
  },
})
