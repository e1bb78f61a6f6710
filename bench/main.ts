// `npm run bench -- <name>`: measures one thing on this machine, prints it and writes it into docs/benchmarks.md.
import { endEverything } from './children.ts'

type Loaded = { readonly usage: string; run(args: string[], signal: AbortSignal): Promise<void> }
type Benchmark = { readonly about: string; load(): Promise<Loaded> }

const benchmarks: Readonly<Record<string, Benchmark>> = {
  index: {
    about: 'how fast a chain is indexed and how soon a swap shows in the API, beside Ponder',
    load: () => import('./index/runIndex.ts'),
  },
  start: {
    about: 'how soon a server on an old chain that it does not know is of use, through public nodes',
    load: () => import('./start/runStart.ts'),
  },
  backfill: {
    about: 'how fast a whole chain of millions of swaps is stored, in how much memory and on how much disk',
    load: () => import('./backfill/runBackfill.ts'),
  },
  added: {
    about: 'how soon a token that is added to the list of a full index is right, and what that does to the rest',
    load: () => import('./added/runAdded.ts'),
  },
  chain: {
    about: 'how fast a history is read of one public node, of three, and of three of which one hangs',
    load: () => import('./chain/runChain.ts'),
  },
  page: {
    about: 'what the home page weighs, and what Lighthouse says of it',
    load: () => import('./page/runPage.ts'),
  },
  pin: {
    about: 'what an attacker gains who guesses PINs, by the real guard with a told clock',
    load: () => import('./pin/runPin.ts'),
  },
  portfolio: {
    about: 'how long reading what wallets hold takes, and how often the node is asked for it',
    load: () => import('./portfolio/runPortfolio.ts'),
  },
  subgraph: {
    about: 'what a GraphQL query costs beside the same rows in SQL, and what it does to the price API',
    load: () => import('./subgraph/runSubgraph.ts'),
  },
  api: {
    about: 'what the price API answers for a second of the processor, beside node:http, Express, Fastify and nginx',
    load: () => import('./api/runApi.ts'),
  },
  stream: {
    about: 'what a thousand streams of prices cost, how late they are, and whether any misses a change',
    load: () => import('./stream/runStream.ts'),
  },
  overload: {
    about: 'what five times the capacity of each kind of request does to probes, prices and memory',
    load: () => import('./overload/runOverload.ts'),
  },
  soak: {
    about: 'whether memory and file descriptors stay flat in two hours at half load',
    load: () => import('./soak/runSoak.ts'),
  },
  drain: {
    about: 'how many requests fail while two servers behind nginx are restarted in turn',
    load: () => import('./drain/runDrain.ts'),
  },
  fuzz: {
    about: 'whether 100,000 made-up requests find an answer that is not as described',
    load: () => import('./fuzz/runFuzz.ts'),
  },
  nodes: {
    about: 'how long nodes that lie or fail keep the index from the chain, beside a majority that does not',
    load: () => import('./nodes/runNodes.ts'),
  },
  prices: {
    about: 'how far the median price lies from the last trade, over a month of the devnet or a recording',
    load: () => import('./prices/runPrices.ts'),
  },
  stories: {
    about: 'whether simulated faults, crashes and reorgs leave the index, the lists and the quotas right; one seed, one story',
    load: () => import('./stories/runStories.ts'),
  },
  faults: {
    about: 'what each fault of the node, the storage and the process does to the page, the API and the index',
    load: () => import('./faults/runFaults.ts'),
  },
  attacks: {
    about: 'what attacks on prices cost, how wrong they make what is served, and for how long',
    load: () => import('./attacks/runAttacks.ts'),
  },
  kills: {
    about: 'whether 200 kills of the server lose a write, admit a request too many, or change the index',
    load: () => import('./kills/runKills.ts'),
  },
  history: {
    about: 'what millions of stored swaps cost a start, a reorg, a chart and the last swaps, on both databases',
    load: () => import('./history/runHistory.ts'),
  },
  board: {
    about: 'how soon the page shows the answer to a search among 20,000 tokens, and what such a list costs the server',
    load: () => import('./board/runBoard.ts'),
  },
  mutants: {
    about: 'whether the tests of the boost contract notice small mistakes in it',
    load: () => import('./mutants/runMutants.ts'),
  },
  invariants: {
    about: 'what always holds of the boost contract, tried with 100,000 calls each',
    load: () => import('./invariants/runInvariants.ts'),
  },
}

const [name = '', ...args] = process.argv.slice(2)
const benchmark = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined
if (!benchmark) {
  const list = Object.entries(benchmarks).map(([each, { about }]) => `  ${each.padEnd(10)} ${about}`)
  console.error([name ? `There is no benchmark "${name}".` : 'Which benchmark?', 'npm run bench -- <name>', ...list].join('\n'))
  process.exit(2)
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // The first one ends what runs in order; whoever asks twice does not want to wait for that.
  process.on(signal, () => (stopping.signal.aborted ? process.exit(130) : stopping.abort(new Error(`Stopped by ${signal}`))))
}
const { usage, run } = await benchmark.load()
if (args.includes('--help')) {
  console.log(usage)
  process.exit(0)
}
try {
  await run(args, stopping.signal)
} catch (error) {
  console.error(
    stopping.signal.aborted
      ? String(stopping.signal.reason.message)
      : isWrongOption(error)
        ? `${error.message}\n${usage}`
        : error,
  )
  process.exitCode = stopping.signal.aborted ? 130 : 1
} finally {
  await endEverything()
  process.exit()
}

function isWrongOption(error: unknown): error is Error {
  return error instanceof Error && String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS')
}
