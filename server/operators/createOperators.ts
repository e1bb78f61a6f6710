import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type Address, daySeconds, Failure, hasRole, type OperatorRole } from '@chainboard/core'
import { type AdminAct, listAdminActs, listUnusualActs } from '../store/adminActs.ts'
import {
  type AdminSession,
  deleteAdminSession,
  findAdminSession,
  insertAdminSession,
  type Lively,
  listAdminSessions,
  touchAdminSession,
  trimAdminSessions,
} from '../store/adminSessions.ts'
import { isMessageSpent, spendMessage } from '../store/spentMessages.ts'
import type { Store } from '../store/store.ts'
import type { Act } from './createActs.ts'
import type { Operator } from './operator.ts'

export type { AdminAct }

/** An open session, with the role that its operator has now. */
export type OperatorSession = AdminSession & { readonly role: OperatorRole }

/** A session ends so long after it began, and so long after its last use. */
export const sessionLife = { wholeSeconds: 86_400, idleSeconds: 1_800 }
/** How often its use is written down. */
const touchSeconds = 60
const sessionsMax = 10
const agentLengthMax = 200
const actsPerPage = 50
/** Unusual acts that are told of at once. */
const unusualMax = 20

/** What comes with a call that a wallet's signature stands for, as it came. */
type Proof = { readonly walletAddress: unknown; readonly signature: unknown; readonly message: unknown }

/** A message that is good here and now, and that the wallet has signed. */
type Claim = { readonly wallet: Address; readonly digest: string; readonly expiresAtSeconds: number }

/** What a call brings to be let in. `session`: the id of one, with what the cookie holds; then the proof counts for nothing. */
export type Credentials = {
  readonly proof: Proof
  readonly session: { readonly id: unknown; readonly token: string | undefined } | undefined
  readonly client: string
}

export type OperatorParts = {
  readonly store: Store
  readonly roles: ReadonlyMap<Address, OperatorRole>
  readonly act: Act
  /** @throws Failure `request-invalid`, `signature-invalid`, `rpc-unavailable` */
  readonly judge: (proof: Proof, purpose: 'Admin Login' | 'Admin Session') => Promise<Claim>
  readonly nowMs: () => number
}

/** A session that has just begun. */
export type OpenedSession = { readonly token: string; readonly session: OperatorSession }

/** Who may enter the panel, and what was done there. Failures: a `Failure` whose message is meant for the one who asked. */
export type Operators = {
  /**
   * @throws Failure `signature-invalid`, `not-signed-in`; `forbidden` for other wallets and for operators with a lesser role. Whether a
   * wallet is an operator's is told to nobody who has not signed with it
   */
  admit(credentials: Credentials, least: OperatorRole): Promise<Operator>
  /** Notes that an operator came. */
  logIn(by: Operator): Promise<void>
  /** The message, or the session, is worth nothing any more, also after a restart. */
  logOut(by: Operator): Promise<void>
  /**
   * Uses a signed message up for a session.
   * @throws Failure as `admit` does; `conflict` for a message that was used
   */
  openSession(proof: Proof, from: { readonly client: string; readonly agent: string }): Promise<OpenedSession>
  /** An owner sees everybody's, others their own. The newest first. */
  listSessions(by: Operator): Promise<OperatorSession[]>
  /** @throws Failure `not-found`, also for a session that is not the operator's to end */
  endSession(by: Operator, id: string): Promise<void>
  /** Unusual acts of the last day, the newest first. */
  listUnusual(): Promise<AdminAct[]>
  /** Notes that an operator had the token list read again. */
  noteReload(by: Operator): Promise<void>
  /** A page of what operators did, the newest first, and whether there are older ones. @param before the id of the last one seen */
  listActs(before: string | undefined): Promise<{ readonly acts: AdminAct[]; readonly more: boolean }>
}

/** @param parts `roles` by wallet in lower case, as the network file or ADMIN_WALLETS names them */
export function createOperators(parts: OperatorParts): Operators {
  const { store, act } = parts
  return {
    admit: async (credentials, least) => {
      const operator = credentials.session ? await admitSession(parts, credentials) : await admitMessage(parts, credentials)
      if (hasRole(operator.role, least)) return operator
      throw new Failure('forbidden', `Your role is ${operator.role}: this needs the role ${least}`)
    },
    logIn: (by) => act(by, (_, record) => record({ act: 'login' })),
    logOut: (by) =>
      act(by, async (tx, record) => {
        if (by.pass.kind === 'message') await spendMessage(tx, by.pass.digest, by.pass.expiresAtSeconds)
        else await deleteAdminSession(tx, by.pass.id)
        await record({ act: 'logout' })
      }),
    openSession: (proof, from) => openSession(parts, proof, from),
    listSessions: async (by) => {
      const wallet = hasRole(by.role, 'owner') ? undefined : by.wallet
      const sessions = await listAdminSessions(store.read, wallet, toLively(parts))
      // Those of who is no operator any more open nothing.
      return sessions.flatMap((session) => {
        const role = parts.roles.get(session.wallet)
        return role ? { ...session, role } : []
      })
    },
    endSession: (by, id) =>
      act(by, async (tx, record) => {
        const ended = isSessionId(id) ? await deleteAdminSession(tx, id) : undefined
        if (!ended || !(ended.wallet === by.wallet || hasRole(by.role, 'owner')))
          throw new Failure('not-found', 'Session not found')
        await record({ act: 'end-session', from: { session: id, wallet: ended.wallet } })
      }),
    listUnusual: () => listUnusualActs(store.read, Math.floor(parts.nowMs() / 1000) - daySeconds, unusualMax),
    noteReload: (by) => act(by, (_, record) => record({ act: 'reload-list' })),
    listActs: async (before) => {
      const acts = await listAdminActs(store.read, actsPerPage + 1, before)
      return { acts: acts.slice(0, actsPerPage), more: acts.length > actsPerPage }
    },
  }
}

/** As `randomUUID` makes it. PostgreSQL is asked for no other text: it fails on some. */
const isSessionId = (id: string): boolean => /^[0-9a-f-]{36}$/.test(id)

/** Sessions that count now. */
export function toLively({ nowMs }: Pick<OperatorParts, 'nowMs'>): Lively {
  const nowSeconds = Math.floor(nowMs() / 1000)
  return { createdAfter: nowSeconds - sessionLife.wholeSeconds, usedAfter: nowSeconds - sessionLife.idleSeconds }
}

async function admitMessage(parts: OperatorParts, { proof, client }: Credentials): Promise<Operator> {
  const { wallet, digest, expiresAtSeconds } = await parts.judge(proof, 'Admin Login')
  const role = getRole(parts, wallet)
  if (await isMessageSpent(parts.store.read, digest)) throw new Failure('signature-invalid', 'You are logged out. Log in again')
  return { wallet, role, pass: { kind: 'message', digest, expiresAtSeconds }, client }
}

async function admitSession(parts: OperatorParts, { session: brought, client }: Credentials): Promise<Operator> {
  const { store, roles, nowMs } = parts
  const { id, token } = brought ?? {}
  if (typeof id !== 'string') throw new Failure('request-invalid', 'session: expected the id of a session')
  const session =
    token && isSessionId(id) && (await findAdminSession(store.read, { id, tokenHash: hashToken(token) }, toLively(parts)))
  const role = session && roles.get(session.wallet)
  if (!session || !role) throw new Failure('not-signed-in', 'Your session has ended. Log in again')
  const nowSeconds = Math.floor(nowMs() / 1000)
  if (nowSeconds - session.usedAtSeconds >= touchSeconds) await store.write((tx) => touchAdminSession(tx, session.id, nowSeconds))
  return { wallet: session.wallet, role, pass: { kind: 'session', id: session.id }, client }
}

async function openSession(
  parts: OperatorParts,
  proof: Proof,
  { client, agent }: { readonly client: string; readonly agent: string },
): Promise<OpenedSession> {
  const { wallet, digest, expiresAtSeconds } = await parts.judge(proof, 'Admin Session')
  const role = getRole(parts, wallet)
  const token = randomBytes(32).toString('base64url')
  const nowSeconds = Math.floor(parts.nowMs() / 1000)
  const id = randomUUID()
  const session: AdminSession = {
    ...{ id, wallet, agent: agent.slice(0, agentLengthMax) },
    ...{ createdAtSeconds: nowSeconds, usedAtSeconds: nowSeconds },
  }
  await parts.act({ wallet, role, pass: { kind: 'session', id }, client }, async (tx, record) => {
    if (!(await spendMessage(tx, digest, expiresAtSeconds)))
      throw new Failure('conflict', 'This message has already been used: sign a new one')
    await insertAdminSession(tx, hashToken(token), session)
    await trimAdminSessions(tx, wallet, sessionsMax)
    await record({ act: 'login', to: { session: id } })
  })
  return { token, session: { ...session, role } }
}

function getRole({ roles }: OperatorParts, wallet: Address): OperatorRole {
  const role = roles.get(wallet)
  if (!role) throw new Failure('forbidden', 'This wallet is not authorized')
  return role
}

/** Tokens are long enough that the plain hash cannot be turned back. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
