import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure } from '@chainboard/core'
import { afterAll } from 'vitest'
import { readConfig } from '../config.ts'
import type { Problem } from '../findProblems.ts'
import { listed } from './market.ts'

/** A folder of network files and token lists for one test file, which is deleted after its tests. */
export function createConfigFiles() {
  const dir = mkdtempSync(join(tmpdir(), 'chainboard-config-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  const write = (name: string, value: unknown): void => {
    const path = join(dir, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return {
    dir,
    write,
    writeNetwork: (name: string, network: unknown, assets: unknown = listed, highlighted: unknown = []): void => {
      write(`${name}.json`, network)
      write(`lists/${name}/assets.json`, assets)
      write(`lists/${name}/highlighted.json`, highlighted)
    },
    /** What `readConfig` finds wrong; nothing where it takes the files. */
    problemsOf: (env: Readonly<Record<string, string>>): readonly Problem[] => {
      try {
        readConfig(env, dir)
      } catch (error) {
        if (error instanceof Failure) return error.detail['problems'] as Problem[]
        throw error
      }
      return []
    },
  }
}
