/** One benchmark: how it is called, and what it does. */
type Loaded = { readonly usage: string; run(args: string[], signal: AbortSignal): Promise<void> }
/** `about` completes the list of benchmarks. It is loaded when it runs: each needs other parts. */
type Benchmark = { readonly about: string; load(): Promise<Loaded> }

/** Every benchmark by its name on the command line. */
export const benchmarks: Readonly<Record<string, Benchmark>> = {
  index: {
    about: 'how fast a chain is indexed and how soon a swap is in the API, compared with Ponder',
    load: () => import('./index/runIndex.ts'),
  },
  start: {
    about: 'how soon a new server on a chain with a long history is useful, through public nodes',
    load: () => import('./start/runStart.ts'),
  },
  backfill: {
    about: 'how fast a whole chain of millions of swaps is stored, in how much memory and on how much disk',
    load: () => import('./backfill/runBackfill.ts'),
  },
  added: {
    about: 'how soon the figures of a token added to the list are right, and what that costs the others',
    load: () => import('./added/runAdded.ts'),
  },
  chain: {
    about: 'how fast a history is read from one public node, from three, and from three of which one hangs',
    load: () => import('./chain/runChain.ts'),
  },
  page: {
    about: 'the size of the home page, and its Lighthouse scores',
    load: () => import('./page/runPage.ts'),
  },
  acts: {
    about: "what a visitor waits for on the home page and on a token's page, and how soon a swap is on the screen",
    load: () => import('./acts/runActs.ts'),
  },
  rendering: {
    about: 'what rendering pages at the server costs its thread, and the price API beside it',
    load: () => import('./rendering/runRendering.ts'),
  },
  pin: {
    about: 'what guessing PINs gains an attacker, with the real guard and a simulated clock',
    load: () => import('./pin/runPin.ts'),
  },
  portfolio: {
    about: 'how long reading the balances of wallets takes, and how many calls to the node',
    load: () => import('./portfolio/runPortfolio.ts'),
  },
  subgraph: {
    about: 'what a GraphQL query costs compared with SQL, and how it slows down prices',
    load: () => import('./subgraph/runSubgraph.ts'),
  },
  api: {
    about: 'answers of the price API per CPU second, compared with node:http, Express, Fastify and nginx',
    load: () => import('./api/runApi.ts'),
  },
  stream: {
    about: 'what a thousand price streams cost, their delay, and whether any misses a change',
    load: () => import('./stream/runStream.ts'),
  },
  overload: {
    about: 'what five times the capacity of each kind of request does to probes, prices and memory',
    load: () => import('./overload/runOverload.ts'),
  },
  gateway: {
    about: 'what attacks on POST /rpc do to visitors, to the chain and to the status',
    load: () => import('./gateway/runGateway.ts'),
  },
  archive: {
    about: 'how soon the server from the archive is ready, and how much memory it takes',
    load: () => import('./archive/runArchive.ts'),
  },
  soak: {
    about: 'whether memory and file descriptors stay flat in two hours at half load',
    load: () => import('./soak/runSoak.ts'),
  },
  drain: {
    about: 'how many requests fail during a rolling restart of two servers behind nginx',
    load: () => import('./drain/runDrain.ts'),
  },
  fuzz: {
    about: 'whether 100,000 generated requests find an answer that breaks the API description',
    load: () => import('./fuzz/runFuzz.ts'),
  },
  nodes: {
    about: 'how long the index differs from the chain while a minority of nodes lies or fails',
    load: () => import('./nodes/runNodes.ts'),
  },
  prices: {
    about: 'how far the median price is from the last trade, over a month of the devnet or a recording',
    load: () => import('./prices/runPrices.ts'),
  },
  stories: {
    about: 'whether index, lists and quotas are right after simulated faults, crashes and reorgs; a story per seed',
    load: () => import('./stories/runStories.ts'),
  },
  faults: {
    about: 'what each fault of node, storage and process does to the page, the API and the index',
    load: () => import('./faults/runFaults.ts'),
  },
  attacks: {
    about: 'what attacks on prices cost, how wrong they make prices, and for how long',
    load: () => import('./attacks/runAttacks.ts'),
  },
  kills: {
    about: 'whether 200 kills of the server lose a write, exceed a quota, or change the index',
    load: () => import('./kills/runKills.ts'),
  },
  history: {
    about: 'how millions of stored swaps slow down a start, a reorg, a chart and the last swaps, on both databases',
    load: () => import('./history/runHistory.ts'),
  },
  board: {
    about: 'how soon the page shows the result of a search among 20,000 tokens, and the load on the server',
    load: () => import('./board/runBoard.ts'),
  },
  mutants: {
    about: 'whether the tests of the boost contract notice small mistakes in it',
    load: () => import('./mutants/runMutants.ts'),
  },
  invariants: {
    about: 'whether each invariant of the boost contract holds for 100,000 random calls',
    load: () => import('./invariants/runInvariants.ts'),
  },
  cluster: {
    about: 'three servers on one PostgreSQL: starts, kills, hangs and restarts, and whether any reader misses a change',
    load: () => import('./cluster/runCluster.ts'),
  },
}
