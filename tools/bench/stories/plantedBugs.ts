import type { Family } from '../../../server/testing/simulation/drawStory.ts'

/** A mistake that somebody could make: exact text of a file, and what stands there instead. */
export type PlantedBug = {
  readonly name: string
  /** Path from the root, with the text that has to be there once, and the one in its place. */
  readonly edits: readonly { readonly file: string; readonly from: string; readonly to: string }[]
  /** The trouble that brings it out. */
  readonly families: readonly Family[]
}

const edit = (name: string, families: readonly Family[], file: string, ...texts: (readonly [string, string])[]): PlantedBug => ({
  name,
  families,
  edits: texts.map(([from, to]) => ({ file, from, to })),
})

const rewind = 'server/indexer/rewind.ts'
const storeRange = 'server/indexer/storeRange.ts'
const viemChain = 'server/chain/viemChain.ts'
const links = 'server/indexer/checkLinks.ts'
const sync = 'server/indexer/syncMachine.ts'

export const plantedBugs: readonly PlantedBug[] = [
  edit('null for logs is no logs', ['honest'], viemChain, [
    'if (!logs) throw behind(to)\n  const kept = logs.filter',
    'const kept = (logs ?? []).filter',
  ]),
  edit('logs are taken in the order they come', ['honest'], viemChain, ['.sort(byPlace)', '']),
  edit('times that the node leaves out are not asked for', ['honest'], viemChain, [
    'await Promise.all(missing.map(readHeader))',
    '[] as Header[]',
  ]),
  edit('a block is skipped after a failure', ['honest'], sync, [
    'const from = cursor ? cursor.number + 1 : limits.startBlock',
    'const from = cursor ? cursor.number + (state.failures > 0 ? 2 : 1) : limits.startBlock',
  ]),
  edit('links of blocks are not looked at', ['honest'], links, ['return linked &&', 'return']),
  edit('logs are not compared with their headers', ['malformed'], links, [
    'return linked && logs.every((log) => (byNumber.get(log.blockNumber)?.hash ?? log.blockHash) === log.blockHash)',
    'return linked',
  ]),
  edit('the cursor is stored before the rows', ['crash'], storeRange, [
    'await deps.store.write(async (tx) => {',
    'await deps.store.write((tx) => setCursor(tx, { identity: deps.identity, block: last }))\n    await deps.store.write(async (tx) => {',
  ]),
  edit('the cursor is stored after the rows, by itself', ['crash'], storeRange, [
    '      await setCursor(tx, { identity: deps.identity, block: last })\n    })',
    '    })\n    await deps.store.write((tx) => setCursor(tx, { identity: deps.identity, block: last }))',
  ]),
  edit('the index is taken back one block too few', [], rewind, [
    'const common = refs.find(({ hash }, i) => headers[i]?.hash === hash)',
    'const at = refs.findIndex(({ hash }, i) => headers[i]?.hash === hash)\n    const common = at < 0 ? undefined : refs[Math.max(0, at - 1)]',
  ]),
  edit('the world in memory outlives a branch that died', [], rewind, ['  holder.world = undefined\n', '']),
  edit('ticks keep what a branch that died did to them', [], rewind, [
    '  await storeTicks(tx, await listPoolEventsAfter(tx, number), -1n)\n',
    '',
  ]),
  edit('hours of a branch that died stay', [], rewind, ['  await deleteHoursFrom(tx, startOf(hour))\n', '']),
  edit('swaps of a branch that died stay', [], rewind, ['  await deleteSwapsAfter(tx, number)\n', '']),
  edit('a favourite is acknowledged before it is stored', ['crash'], 'server/accounts/pinAct.ts', [
    'return store.write(async (tx) => {',
    'return (async (work: (tx: Tx) => Promise<T>) => {\n    store.write(work).catch(() => undefined)\n    return [] as never\n  })(async (tx) => {',
  ]),
  edit('permits are given before they are stored', ['crash'], 'server/keys/permitBatches.ts', [
    '        takes.push({ change, resolve, reject })\n',
    '        takes.push({ change, resolve: () => undefined, reject: () => undefined })\n        resolve({ granted: change.want, taken: change.want })\n',
  ]),
  edit('an error of the store is swallowed', ['store'], storeRange, [
    '    holder.world = undefined\n    throw error',
    '    holder.world = undefined',
  ]),
  edit('the world in memory outlives a failed transaction', ['store'], storeRange, [
    '    holder.world = undefined\n    throw error',
    '    throw error',
  ]),
]
