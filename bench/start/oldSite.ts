import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { routes } from '@chainboard/contract'
import type { Static, TSchema } from 'typebox'
import { type FabricatedChain, fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { toStoreEnv } from '../../server/testing/storeEnv.ts'
import { findFreePort } from '../../tools/freePort.ts'
import { packArchive } from '../../tools/pack/packArchive.ts'
import { forkServer } from '../../tools/serverProcess.ts'
import { checkShape } from '../checkShape.ts'
import { adopt, type Child, start } from '../children.ts'
import { serverEnv } from '../inheritedEnv.ts'
import { within } from '../waiting.ts'
import type { OldChain } from './oldChain.ts'
import { writeOldNetwork } from './writeOldNetwork.ts'

/** A new server on a chain with a long history. */
export type OldSite = {
  readonly url: string
  readonly server: Child
  /** When the server or a node has ended. */
  readonly gone: Promise<string>
  readonly startMs: number
  readonly signal: AbortSignal
  /** The server, then its nodes. */
  stop(): Promise<void>
}

type Wanted = {
  readonly facts: OldChain
  readonly nodes: number
  /** For its network and its data. */
  readonly folder: string
  /** Absent: a database file in the folder. */
  readonly databaseUrl?: string | undefined
  readonly signal: AbortSignal
}

/** Starts nodes of the chain and a server on them, as an operator has it from the archive, with an empty store. @throws NotMeasured when a node does not start */
export async function openOldSite({ facts, nodes: count, folder, databaseUrl, signal }: Wanted): Promise<OldSite> {
  const chain: FabricatedChain = fabricateChain(facts.chain)
  const nodes = await Promise.all(Array.from({ length: count }, () => startNode(facts, signal)))
  const main = await unpackServer(folder)
  const port = await findFreePort()
  const env = {
    ...{ NETWORKS_DIR: writeOldNetwork(folder, chain), NETWORK: 'old', DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1' },
    ...{ RPC_URL: nodes.map(({ url }) => url).join(','), LOG_LEVEL: 'info', PORT: String(port) },
    ...(databaseUrl ? toStoreEnv({ databaseUrl }) : {}),
  }
  const startMs = performance.now()
  const server = adopt('the server', forkServer(serverEnv(env), 'ignore', main))
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    gone: Promise.race([server, ...nodes.map(({ child }) => child)].map((child) => child.gone)),
    startMs,
    signal,
    stop: async () => {
      await server.stop()
      await Promise.all(nodes.map(({ child }) => child.stop()))
    },
  }
}

/** @returns the server's program */
async function unpackServer(folder: string): Promise<string> {
  const { file } = await packArchive(join(folder, 'packed'), Math.floor(Date.now() / 1_000))
  execFileSync('tar', ['xzf', file, '-C', join(folder, 'packed'), '--strip-components', '1'])
  return join(folder, 'packed', 'server', 'main.js')
}

/** A node of the chain in a process of its own. */
export async function startNode(facts: OldChain, signal: AbortSignal): Promise<{ readonly child: Child; readonly url: string }> {
  const script = join(import.meta.dirname, 'serveOldChain.ts')
  const child = start({ command: process.execPath, args: [script, JSON.stringify(facts)], env: serverEnv({}) })
  const { promise, resolve: found } = Promise.withResolvers<string>()
  child.process.stdout?.on('data', (chunk: Buffer) => found(String(chunk).trim()))
  return { child, url: await within(promise, { what: 'a node', msMax: 60_000, signal, gone: child.gone }) }
}

/** What the site answers; undefined while it does not. @throws NotMeasured for an answer of another shape */
export async function readFrom<S extends TSchema>(
  { url, signal }: OldSite,
  path: string,
  schema: S,
): Promise<Static<S> | undefined> {
  const answer = await fetch(url + path, { signal }).catch(() => undefined)
  if (!answer?.ok) return undefined
  const body: unknown = await answer.json().catch(() => undefined)
  return body === undefined ? undefined : checkShape(schema, body, path)
}

/** The status of the site; undefined while it does not answer. */
export function readStatus(site: OldSite) {
  return readFrom(site, '/api/status', routes.getStatus.schema.response[200])
}
