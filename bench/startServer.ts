import { Type } from 'typebox'
import { forkServer } from '../tools/serverProcess.ts'
import { adopt, type Child } from './children.ts'
import { serverEnv } from './inheritedEnv.ts'
import { receive } from './receive.ts'

const startMsMax = 120_000
const settings = { NETWORK: 'devnet', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' }
const messages = { listening: Type.Object({ listening: Type.String() }), full: Type.Object({ full: Type.String() }) }

/**
 * The server as `npm start` runs it, with the devnet's network file and on any free port.
 * @param env what it is given besides, `RPC_URL` and `DATA_DIR` at least
 * @param until `full`: the index has caught up with the chain
 * @param main the program of another version
 * @throws NotMeasured when it is not so far within two minutes, or ends before
 */
export async function startServer(
  env: Readonly<Record<string, string>>,
  {
    until,
    signal,
    main,
  }: { readonly until: 'listening' | 'full'; readonly signal: AbortSignal; readonly main?: string | undefined },
): Promise<{ readonly server: Child; readonly url: string }> {
  const server = adopt('the server', forkServer(serverEnv({ ...settings, ...env }), 'inherit', main))
  const patience = { what: 'the server', msMax: startMsMax, signal }
  const url =
    until === 'full'
      ? (await receive(server, messages.full, patience)).full
      : (await receive(server, messages.listening, patience)).listening
  return { server, url }
}
