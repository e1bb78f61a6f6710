// The route of the subgraph alone over a filled store, as a process: `node serveGraph.ts '<store location as JSON>'`.
import fastify from 'fastify'
import { subgraphRoute } from '../../server/api/subgraphRoute.ts'
import { createGraphServer } from '../../server/graph/graphServer.ts'
import { benchFacts } from './fillStore.ts'

const graph = createGraphServer({
  store: JSON.parse(process.argv[2] ?? ''),
  facts: benchFacts,
  readTransactions: async () => [],
  onBug: (error) => console.error(error),
})
// Without the limits on one client, who here is all of them.
const app = fastify()
let asked = 0
const answerGraph = (body: string) => {
  asked += 1
  return graph.answer(body, `client ${asked}`)
}
await app.register(subgraphRoute({ answerGraph }))
process.send?.({ listening: await app.listen({ host: '127.0.0.1', port: 0 }) })
const stop = async () => {
  await app.close()
  await graph.close()
  process.exit()
}
process.on('SIGTERM', stop)
process.on('disconnect', stop)
