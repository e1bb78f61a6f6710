import { createRequire } from 'node:module'
import { defineConfig } from 'hardhat/config'
import { solcSettings, solcVersion } from './solcSettings.ts'

/** One fixed seed: a test that fails here fails everywhere. */
const fuzz = { seed: '0x626f6f7374' }

export default defineConfig({
  paths: {
    sources: '.',
    tests: 'test',
    cache: '../.tsbuild/hardhat/cache',
    artifacts: '../.tsbuild/hardhat/artifacts',
  },
  solidity: {
    version: solcVersion,
    // The compiler of the npm package: nothing is downloaded.
    path: createRequire(import.meta.url).resolve('solc/soljson.js'),
    settings: solcSettings,
  },
  test: {
    solidity: {
      profiles: {
        default: { fuzz: { ...fuzz, runs: 256 }, invariant: { runs: 10, depth: 100, failOnRevert: true } },
        long: { fuzz: { ...fuzz, runs: 10_000 }, invariant: { runs: 200, depth: 500, failOnRevert: true } },
        // Every call is a transaction of its own, as a wallet's is.
        gas: { isolate: true },
        quick: { fuzz: { ...fuzz, runs: 16 }, invariant: { runs: 2, depth: 50, failOnRevert: true } },
      },
    },
  },
})
