import type { Family } from '../../server/testing/simulation/drawStory.ts'

/** A mistake that somebody could make: exact text of a file, and what replaces it. */
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

const rollBack = 'server/indexer/rollBack.ts'
const storeRange = 'server/indexer/storeRange.ts'
const readRange = 'server/chain/readRange.ts'
const links = 'server/indexer/checkLinks.ts'
const sync = 'server/indexer/syncMachine.ts'

const advance = '      if (!(await advanceCursor(tx, { identity: deps.identity, from: cursor, to: last }))) throw moved()\n'
const written = '    await deps.store.write(write, { asyncCommit: true })'

/** Bugs that the stories have to find. */
export const plantedBugs: readonly PlantedBug[] = [
  edit('null for logs is no logs', ['honest'], readRange, [
    'if (answer === null) throw behind(to)\n',
    'if (answer === null) return []\n',
  ]),
  edit('logs are taken in the order they come', ['honest'], readRange, ['.sort(byPlace)', '']),
  edit('a block is skipped after a failure', ['honest'], sync, [
    'const from = cursor ? cursor.number + 1 : limits.startBlock',
    'const from = cursor ? cursor.number + (state.failures > 0 ? 2 : 1) : limits.startBlock',
  ]),
  edit('links of blocks are not looked at', ['honest'], links, ['return linked &&', 'return']),
  {
    name: 'logs are not compared with their headers',
    // Near the head logs are read by the hash of their block: it takes a first sync that begins late.
    families: ['malformed', 'foreign'],
    edits: [
      {
        file: links,
        from: 'return linked && logs.every((log) => (byNumber.get(log.blockNumber)?.hash ?? log.blockHash) === log.blockHash)',
        to: 'return linked',
      },
      {
        file: readRange,
        from: 'if (compared.includes(blockNumber) && header?.hash !== blockHash)',
        to: 'if (compared.includes(blockNumber) && !header)',
      },
    ],
  },
  edit('the cursor is stored before the rows', ['crash'], storeRange, [
    `    const write = async (tx: Tx) => {\n${advance}`,
    '    await deps.store.write((tx) => advanceCursor(tx, { identity: deps.identity, from: cursor, to: last }))\n    const write = async (tx: Tx) => {',
  ]),
  edit(
    'the cursor is stored after the rows, by itself',
    ['crash'],
    storeRange,
    [advance, ''],
    [
      written,
      `${written}\n    await deps.store.write((tx) => advanceCursor(tx, { identity: deps.identity, from: cursor, to: last }))`,
    ],
  ),
  edit('after a lost answer the store is not asked for its cursor', ['store'], 'server/indexer/performStep.ts', [
    'const cursor = (await findCursor(store.read))?.block',
    'const cursor = own',
  ]),
  edit('one node is believed of any reorg', ['foreign'], 'server/chain/judgeReorg.ts', [
    '  const deep = `The node reports a reorg',
    '  if (nodes > 0) return { go: true }\n  const deep = `The node reports a reorg',
  ]),
  edit('the index is taken back one block too few', [], rollBack, [
    'const ancestor = refs[shared]',
    'const ancestor = refs[Math.max(0, shared - 1)]',
  ]),
  edit(
    'the world in memory outlives a branch that died',
    [],
    rollBack,
    ['  forgetWorld(holder)\n', ''],
    ['    holder.world = plan.world\n', ''],
  ),
  edit('ticks keep what a branch that died did to them', [], rollBack, [
    '  await storeTicks(tx, await listPoolEventsAfter(tx, number), -1n)\n',
    '',
  ]),
  edit('pools stay as deep as a branch that died left them', [], 'server/indexer/openWorld.ts', [
    'isPast ? await listPoolsTradedAfter(db, blockNumber) : []',
    '[]',
  ]),
  edit('hours of a branch that died stay', [], rollBack, [
    'const fromSeconds = hasBegun ? startSeconds + 1 : ownSeconds',
    'const fromSeconds = Number.MAX_SAFE_INTEGER',
  ]),
  edit('swaps of a branch that died stay', [], rollBack, ['  await deleteSwapsAfter(tx, number)\n', '']),
  {
    name: 'neither ticks nor balances are compared with their contracts',
    families: ['silent'],
    edits: [
      { file: 'server/witness/createPoolChecks.ts', from: '      await ticks.step(pools, turn)\n', to: '' },
      { file: 'server/witness/createComparison.ts', from: '    await followBalances(agreeing, look)\n', to: '' },
    ],
  },
  edit('a favourite is acknowledged before it is stored', ['crash'], 'server/accounts/pinAct.ts', [
    'return store.write(async (tx) => {',
    'return (async (work: (tx: Tx) => Promise<T>) => {\n    store.write(work).catch(() => undefined)\n    return [] as never\n  })(async (tx) => {',
  ]),
  edit('permits are given before they are stored', ['crash'], 'server/keys/permitBatches.ts', [
    '        takes.push({ change, resolve, reject })\n',
    '        takes.push({ change, resolve: () => undefined, reject: () => undefined })\n        resolve({ granted: change.want, taken: change.want })\n',
  ]),
  {
    name: 'an error of the store is swallowed, and the range taken as stored',
    families: ['store'],
    edits: [
      {
        file: storeRange,
        from: '      throw error instanceof WorldReplaced ? moved() : error',
        to: '      return range.headers.at(-1) as BlockRef',
      },
      {
        file: 'server/indexer/performStep.ts',
        from: 'const cursor = (await findCursor(store.read))?.block',
        to: 'const cursor = own',
      },
    ],
  },
  edit('the world in memory outlives a failed transaction', ['store'], storeRange, ['      forgetWorld(holder)\n', '']),
]
