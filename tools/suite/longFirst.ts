import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Test files that take the longest: more than 15 s on a quiet machine of two cores, or most of the time of their project. A file that
 * is not there any more does no harm.
 */
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
  'server/process/lockedPostgres',
  'server/process/rpcGateway',
  'server/indexer/revalue',
  'server/testing/simulation/majority/playWorld',
  'server/verify/verifyFigures',
  'server/cli/audit',
  'server/indexer/followChain',
  'server/keeping/keeping',
  'devnet/persistence',
  'devnet/replay/replay',
  'devnet/live',
  'contracts/solidity',
  'tools/pack/packArchive',
  'tools/start',
  'sdk/createPriceClient',
  'bench/options',
  'bench/stream/streamReaders',
  'bench/pin/attack',
  'web/slices/wallet/walletConnect/openSession',
]

/** The projects whose files share a process. Those of all others take milliseconds, and come last. */
const sharedInOrder: readonly string[] = ['bench', 'server']

type File = {
  readonly moduleId: string
  readonly project: { readonly name: string; readonly config: { readonly isolate: boolean } }
}

/** The run ends when its last file does: long ones start first, and small ones fill the workers at the end. */
export function putLongFirst<T extends File>(files: readonly T[]): T[] {
  return files.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Files of one process stay together, its long ones first: a long one that starts last keeps one worker while the others are idle. */
function rankOf({ moduleId, project }: File): number {
  const isLong = longFiles.some((name) => moduleId.endsWith(`/${name}.test.ts`))
  return 2 * groupOf(project) + (isLong ? 0 : 1)
}

/** Files with a process each come first. */
function groupOf({ name, config }: File['project']): number {
  if (config.isolate) return 0
  const place = sharedInOrder.indexOf(name)
  return 1 + (place < 0 ? sharedInOrder.length : place)
}

/** Vitest's own order is by project and, in a fresh clone, by the size of the file. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return putLongFirst(await super.sort(files))
  }
}
