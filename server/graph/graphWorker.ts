// The thread that answers GraphQL: parsing, SQL, execution and JSON, so that no query takes time from the other routes.
import { parentPort, workerData } from 'node:worker_threads'
import { openReader } from '../store/openReader.ts'
import { GraphRefusal } from './graphError.ts'
import type { FromWorker, GraphWorkerData, ToWorker } from './graphMessages.ts'
import { openGraph } from './openGraph.ts'
import type { SentTransaction } from './session.ts'

const { store, facts, timeoutMs } = workerData as GraphWorkerData
const say = (message: FromWorker) => parentPort?.postMessage(message)

let hasStoreFailed = false
const asked = new Map<number, PromiseWithResolvers<readonly SentTransaction[]>>()
let lastAsked = 0

const graph = openGraph({
  reader: await openReader(store, timeoutMs),
  facts,
  readTransactions: (hashes) => {
    lastAsked += 1
    const answer = Promise.withResolvers<readonly SentTransaction[]>()
    asked.set(lastAsked, answer)
    say({ kind: 'want-transactions', id: lastAsked, hashes: [...hashes] })
    return answer.promise
  },
  onStoreFailure: () => {
    hasStoreFailed = true
  },
  onBug: (error) => say({ kind: 'bug', error: error instanceof Error ? error : new Error(String(error)) }),
})

/** Queries come one after the other. */
async function answerNext(id: number, question: string): Promise<void> {
  hasStoreFailed = false
  const body = await graph.answer(question)
  say({ kind: 'answer', id, body, end: hasStoreFailed ? 'store' : body.startsWith('{"data":') ? 'data' : 'refused' })
}

parentPort?.on('message', async (message: ToWorker) => {
  if (message.kind === 'query') return answerNext(message.id, message.body)
  const answer = asked.get(message.id)
  asked.delete(message.id)
  if (message.kind === 'transactions') answer?.resolve(message.found)
  else answer?.reject(new GraphRefusal(message.message))
})
