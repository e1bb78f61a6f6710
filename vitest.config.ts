import { defineConfig } from 'vitest/config'

const suites = ['core', 'server', 'devnet', 'web']

export default defineConfig({
  test: {
    projects: [
      ...suites.map((name) => ({ test: { name, include: [`${name}/**/*.test.ts`], testTimeout: 60_000, hookTimeout: 120_000 } })),
      { test: { name: 'tools', include: ['tools/**/*.test.ts'] } },
    ],
  },
})
