import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The modules that `index.ts` gives out, in the order in which they need each other. */
const publicModules = ['wire', 'priceEvent', 'priceApiError', 'createPriceClient']

/** Puts the client into a folder as others use it: JavaScript, and all of its types in `index.d.ts`. */
export function buildClient(folder: string): void {
  const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
  const config = join(import.meta.dirname, 'tsconfig.build.json')
  rmSync(folder, { recursive: true, force: true })
  execFileSync(process.execPath, [tsc, '-p', config, '--outDir', folder], { stdio: 'inherit' })
  const types = publicModules.map((name) => readFileSync(join(folder, `${name}.d.ts`), 'utf8'))
  for (const file of readdirSync(folder)) if (file.endsWith('.d.ts')) rmSync(join(folder, file))
  writeFileSync(join(folder, 'index.d.ts'), types.map(withoutImports).join('\n'))
}

/** What was imported stands in the same file. */
function withoutImports(declarations: string): string {
  return declarations.replaceAll(/^import .*\n/gm, '')
}

if (import.meta.main) buildClient(join(import.meta.dirname, 'dist'))
