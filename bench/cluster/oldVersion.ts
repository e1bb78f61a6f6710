import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolder } from '../children.ts'
import { NotMeasured } from '../notMeasured.ts'

const root = resolve(import.meta.dirname, '../..')
const scope = '@chainboard'

/** Another version of the product, in a folder of its own. `main`: its server. */
export type OldVersion = { readonly commit: string; readonly folder: string; readonly main: string; remove(): void }

/** The commit before the newest migration was added: a server of it has tables that this one changes. */
export function findCommitBeforeMigration(): string {
  const added = git(['log', '-1', '--diff-filter=A', '--format=%H', '--', 'server/store/migrations/0*.ts'])
  return git(['rev-parse', `${added}^`])
}

/**
 * Checks a commit out, with this version's packages and page.
 * @throws NotMeasured outside of a git checkout
 */
export function checkOut(wanted: string): OldVersion {
  const commit = git(['rev-parse', '--verify', `${wanted}^{commit}`])
  const folder = join(makeFolder('version'), 'old')
  git(['worktree', 'add', '--detach', folder, commit])
  const [packages, own] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(own, scope), { recursive: true })
  for (const name of readdirSync(packages)) if (name !== scope) symlinkSync(join(packages, name), join(own, name))
  // Its own parts, not ours.
  for (const name of readdirSync(join(packages, scope))) symlinkSync(join(folder, name), join(own, scope, name))
  const page = join(root, 'web/dist')
  if (existsSync(page)) cpSync(page, join(folder, 'web/dist'), { recursive: true })
  return {
    ...{ commit: commit.slice(0, 8), folder },
    main: join(folder, 'server/main.ts'),
    remove: () => void git(['worktree', 'remove', '--force', folder]),
  }
}

function git(args: readonly string[]): string {
  try {
    return execFileSync('git', [...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  } catch (error) {
    throw new NotMeasured(`git ${args[0]}: ${error instanceof Error ? error.message : error}`)
  }
}
