import { getIntrospectionQuery } from 'graphql'

const repeat = (count: number, make: (i: number) => string, separator = ' ') =>
  Array.from({ length: count }, (_, i) => make(i)).join(separator)
const asBody = (query: string, variables?: unknown) => JSON.stringify({ query, ...(variables !== undefined && { variables }) })

/** Requests that would cost a server much, by name, each with a part of the message that it is refused with. */
export const attacks: readonly (readonly [name: string, body: string, message: string])[] = [
  ['as many aliases as a body holds', asBody(`{ ${repeat(6_000, (i) => `a${i}:bundles{id}`)} }`), '15000 tokens'],
  ['1,000 aliases of a list', asBody(`{ ${repeat(1_000, (i) => `a${i}:swaps{id}`)} }`), 'more than 150 fields at its root'],
  ['aliases of a plain field', asBody(`{ pools { ${repeat(3_200, (i) => `a${i}:id`)} } }`), 'more than 3000 fields'],
  ['the same field again and again', asBody(`{ pools { ${repeat(3_000, () => 'id')} } }`), 'more than 20 times'],
  [
    'a depth of 100',
    asBody(`{ pools ${'{ token0 { whitelistPools '.repeat(50)} { id } ${'} }'.repeat(50)} }`),
    'has a depth that exceeds the limit of `10`',
  ],
  [
    'a depth of 12',
    asBody(
      `{ pools { token0 { whitelistPools { token0 { whitelistPools { token0 { whitelistPools { token0 { whitelistPools { token0 { whitelistPools { id } } } } } } } } } } } }`,
    ),
    'exceeds the limit of `',
  ],
  ['30,000 brackets', asBody('{'.repeat(30_000)), 'has a depth that exceeds the limit of `10`'],
  ['brackets in the body', `${'['.repeat(30_000)}`, 'nested more than 40 levels deep'],
  ['first: 100000', asBody('{ swaps(first: 100000) { id } }'), 'The `first` argument must be between 0 and 1000, but is 100000'],
  [
    'first: 100000 by a variable',
    asBody('query ($n: Int) { swaps(first: $n) { id } }', { n: 100_000 }),
    'The `first` argument must be between 0 and 1000, but is 100000',
  ],
  [
    'objects as the default of a variable',
    asBody(`query ($w: Pool_filter = { or: [${'{}'.repeat(6_000)}] }) { pools(where: $w) { id } }`),
    'more than 500 objects',
  ],
  [
    'few objects as a default that is used often',
    asBody(`query ($w: Pool_filter = { or: [${'{}'.repeat(40)}] }) { ${repeat(20, (i) => `a${i}: pools(where: $w) { id }`)} }`),
    'more than 500 objects',
  ],
  [
    'a long list in condition after condition',
    asBody(`query ($w: [BigInt!]) { mints(where: { or: [${repeat(33, () => '{ timestamp_in: $w }')}] }) { id } }`, {
      w: Array.from({ length: 1_000 }, (_, i) => i),
    }),
    'The lists of a filter have more than 10000 values together',
  ],
  ['first: -1', asBody('{ swaps(first: -1) { id } }'), 'The `first` argument must be between 0 and 1000, but is -1'],
  ['a huge skip', asBody('{ swaps(skip: 5001) { id } }'), 'The `skip` argument must be between 0 and 5000, but is 5001'],
  [
    'lists within lists',
    asBody('{ pools(first: 1000) { swaps(first: 1000) { id } } }'),
    'query potentially returns `1001000` entities or more',
  ],
  [
    'the schema again and again',
    asBody(`{ ${repeat(30, (i) => `a${i}: __schema { types { name } }`)} }`),
    'more than 24 lists of the schema',
  ],
  [
    'the schema within the schema',
    asBody(`{ __schema { types ${'{ fields { type '.repeat(12)} { name } ${'} }'.repeat(12)} } }`),
    'exceeds the limit of `20`',
  ],
  [
    'introspection of fields of fields',
    asBody('{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }'),
    'Maximum introspection depth exceeded',
  ],
  [
    'fragments that double each time',
    asBody(
      `{ ...f0 } ${repeat(30, (i) => `fragment f${i} on Query { ...f${i + 1} ...f${i + 1} }`)} fragment f30 on Query { bundles { id } }`,
    ),
    'more than 20 times',
  ],
  ['a fragment within itself', asBody('{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }'), 'within itself'],
  [
    'a hundred fragments',
    asBody(`{ ...f0 } ${repeat(100, (i) => `fragment f${i} on Query { bundles { id } }`)}`),
    'more than 50 fragments',
  ],
  [
    'a list of 1,001 ids',
    asBody('query ($ids: [ID!]) { swaps(where: { id_in: $ids }) { id } }', {
      ids: Array.from({ length: 1_001 }, (_, i) => String(i)),
    }),
    'more than 1000 values',
  ],
  [
    '201 conditions',
    asBody(`{ swaps(where: { or: [${repeat(201, (i) => `{ tick: ${i} }`)}] }) { id } }`),
    'more than 200 conditions',
  ],
  [
    'and within or within and',
    asBody(`{ swaps(where: ${'{ and: [{ or: ['.repeat(6)}{ tick: 1 }${']}]}'.repeat(6)}) { id } }`),
    'nested more than 8 levels',
  ],
  [
    'a filter within filters, by a variable',
    asBody('query ($w: Pool_filter) { pools(where: $w) { id } }', {
      w: JSON.parse(`${'{"and":['.repeat(18)}{"feeTier":"1"}${']}'.repeat(18)}`),
    }),
    'nested more than 8 levels',
  ],
  [
    'a text of 10,000 letters',
    asBody('query ($t: String) { tokens(where: { symbol: $t }) { id } }', { t: 'x'.repeat(10_000) }),
    'text of more than 1000 characters',
  ],
  [
    'a variable of another shape',
    asBody('query ($first: Int) { pools(first: $first) { id } }', { first: { deep: [1] } }),
    'Invalid value provided for argument `first`',
  ],
  [
    'a condition of another shape',
    asBody('{ pools(where: { feeTier: { a: 1 } }) { id } }'),
    'Invalid value provided for argument `where`',
  ],
  [
    'two introspections of everything',
    JSON.stringify({
      operationName: 'IntrospectionQuery',
      query: `${getIntrospectionQuery()} ${repeat(4, (i) => `query Q${i} { __schema { types { fields { args { name } } inputFields { name } enumValues { name } } } }`)}`,
    }),
    'more than 24 lists of the schema',
  ],
  [
    'conditions that say nothing',
    asBody('query ($w: Pool_filter) { pools(where: $w) { id } }', { w: { or: Array(21_000).fill({}) } }),
    'more than 500 objects',
  ],
  ['the same, written out', asBody(`{ pools(where: { or: [${repeat(7_000, () => '{}')}] }) { id } }`), 'more than 500 objects'],
  [
    'one filter of 3,000 conditions under 140 aliases',
    asBody(`query ($w: Pool_filter) { ${repeat(140, (i) => `a${i}: pools(where: $w) { id }`)} }`, {
      w: { or: Array(3_000).fill({ feeTier: '1' }) },
    }),
    'more than 500 objects',
  ],
  [
    'one filter of 100 conditions under 140 aliases',
    asBody(`query ($w: Pool_filter) { ${repeat(140, (i) => `a${i}: pools(where: $w) { id }`)} }`, {
      w: { or: Array(100).fill({ feeTier: '1' }) },
    }),
    'more than 500 objects',
  ],
  [
    'a variable that nobody uses',
    asBody('query ($w: Pool_filter) { bundles { id } }', { w: { or: Array(5_000).fill({ tick: '1' }) } }),
    'more than 500 objects',
  ],
  ['a batch', JSON.stringify([{ query: '{ bundles { id } }' }]), 'Several queries in one request are not supported'],
  ['a mutation', asBody('mutation { a }'), 'Not supported: mutation'],
]
