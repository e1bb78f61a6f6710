import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take the longest, more than 25 s on a quiet machine of two cores. A file that is not there any more does no harm. */
const longFiles: readonly string[] = [
  'server/process/stories',
  'server/process/process',
  'server/recent/recentIndex',
  'server/cli/keepingCommands',
  'server/api/fuzz',
  'server/indexer/keepScope',
  'server/process/tokenListChanges',
  'server/process/drain',
  'server/store/requestLimits',
  'server/verify/verifyFigures',
  'server/cli/audit',
  'server/indexer/followChain',
  'server/keeping/keeping',
  'devnet/persistence',
  'contracts/solidity',
  'tools/pack/packArchive',
  'tools/start',
]

type File = {
  readonly moduleId: string
  readonly project: { readonly name: string; readonly config: { readonly isolate: boolean } }
}

/** The run ends when its last file does: long ones start first, and small ones fill the workers at the end. */
export function putLongFirst<T extends File>(files: readonly T[]): T[] {
  return files.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Files of one process stay together. The server's are the most; after them come those that take milliseconds. */
function rankOf({ moduleId, project }: File): number {
  const isLong = longFiles.some((name) => moduleId.endsWith(`/${name}.test.ts`))
  if (project.config.isolate) return isLong ? 0 : 1
  if (project.name === 'server') return isLong ? 2 : 3
  return 4
}

/** Vitest's own order is by project and, in a fresh clone, by the size of the file. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return putLongFirst(await super.sort(files))
  }
}
