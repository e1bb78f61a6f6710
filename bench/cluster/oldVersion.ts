import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolder } from '../children.ts'
import { NotMeasured } from '../notMeasured.ts'

const root = resolve(import.meta.dirname, '../..')
const scope = '@chainboard'

/** Another version of the product, in a folder of its own. `main`: its server. */
export type OldVersion = { readonly commit: string; readonly folder: string; readonly main: string; remove(): void }

/**
 * Checks a commit out, with this version's packages and page. Undefined: this version before its newest migration, which has to be one
 * that the rest can do without.
 * @throws NotMeasured outside of a git checkout
 */
export function checkOut(wanted: string | undefined): OldVersion {
  const commit = git(['rev-parse', '--verify', `${wanted ?? 'HEAD'}^{commit}`])
  const folder = join(makeFolder('version'), 'old')
  git(['worktree', 'add', '--detach', folder, commit])
  const [packages, own] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(own, scope), { recursive: true })
  for (const name of readdirSync(packages)) if (name !== scope) symlinkSync(join(packages, name), join(own, name))
  // Its own parts, not ours.
  for (const name of readdirSync(join(packages, scope))) symlinkSync(join(folder, name), join(own, scope, name))
  if (wanted === undefined) leaveOutNewest(join(folder, 'server/store/migrations/index.ts'))
  const page = join(root, 'web/dist')
  if (existsSync(page)) cpSync(page, join(folder, 'web/dist'), { recursive: true })
  return {
    ...{ commit: commit.slice(0, 8), folder },
    main: join(folder, 'server/main.ts'),
    remove: () => void git(['worktree', 'remove', '--force', folder]),
  }
}

function leaveOutNewest(index: string): void {
  const text = readFileSync(index, 'utf8')
  const newest = [...text.matchAll(/^ {4}'\d{4}-.*\n/gm)].at(-1)?.[0]
  if (newest === undefined) throw new NotMeasured(`${index} has no migrations`)
  writeFileSync(index, text.replace(newest, ''))
}

function git(args: readonly string[]): string {
  try {
    return execFileSync('git', [...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  } catch (error) {
    throw new NotMeasured(`git ${args[0]}: ${error instanceof Error ? error.message : error}`)
  }
}
