import { toDisplayText } from '@chainboard/core'
import { findProblems } from '../findProblems.ts'
import { tokenListSchema } from '../market/tokenList.ts'
import { networkFileSchema } from '../networkFileSchema.ts'
import { type Asker, unsettled } from './asker.ts'
import { findPublicChain, isLocalChain } from './describeChain.ts'
import { findKeyless, mayHoldKey } from './findKeyless.ts'
import type { InitFlags } from './initFlags.ts'
import { parseName, parseRpcUrls, parseText, toName } from './parseFlags.ts'
import { reachNode } from './reachNode.ts'
import { settleTexts } from './settleTexts.ts'
import { surveyChain } from './survey.ts'
import { toFirstList, toNetworkFile } from './toFiles.ts'
import { listExisting, type NetworkFiles, type NetworkPaths, toPaths, toSchemaPath } from './writeFiles.ts'

const callTimeoutMs = 15_000
const surveyMsMax = 600_000

export type PrepareDeps = {
  readonly flags: InitFlags
  /** RPC URLs split by commas; may hold a key. */
  readonly rpc: string | undefined
  readonly networksDir: string
  readonly schemasDir: string
  readonly asker: Asker
  readonly say: (line: string) => void
}

/** Files that are right by the rules of a start, and not written yet. `rpcUrls`: those that were given, with their keys. */
export type PreparedFiles = {
  readonly name: string
  readonly paths: NetworkPaths
  readonly files: NetworkFiles
  readonly rpcUrls: readonly string[]
  /** Whether the files leave a key out, so that a start has to be given the URLs. */
  readonly hidesKey: boolean
}

/**
 * Asks a chain and its operator everything that a network file and a first token list say.
 * @throws Failure `config-invalid` with what is missing or wrong, `rpc-…` when the node does not answer
 */
export async function prepareFiles({ flags, rpc, networksDir, schemasDir, asker, say }: PrepareDeps): Promise<PreparedFiles> {
  const rpcUrls = await asker.settle({ flag: 'rpc', what: 'the http(s) URL of a node', given: rpc, parse: parseRpcUrls })
  const node = await reachNode(rpcUrls[0], callTimeoutMs)
  const { chainId } = node
  const publicChain = findPublicChain(chainId)
  const chainName = await asker.settle({
    ...{ flag: 'chain-name', what: "the chain's name", given: flags['chain-name'], harmless: true },
    ...{ proposal: publicChain?.name ?? `Chain ${chainId}`, parse: parseText },
  })
  const listed = publicChain ? '' : ', which the public list does not name'
  say(`${node.field}: chain id ${chainId}${listed}, block ${node.headNumber}; named ${toDisplayText(chainName, 'it')}`)
  const name = await asker.settle({
    ...{ flag: 'name', what: 'the name of the files: lowercase letters, digits and dashes', given: flags.name },
    ...{ proposal: toName(chainName, chainId), harmless: true, parse: parseName },
  })
  const paths = toPaths(networksDir, name)
  await settleExisting(paths, { flags, asker })

  const limits = { callTimeoutMs, signal: AbortSignal.timeout(surveyMsMax) }
  const survey = await surveyChain({ node, limits, flags, asker, say, publicChain })
  const texts = await settleTexts({ flags, asker, chainName, publicChain, wrappedSymbol: survey.wrapped.symbol })
  asker.finish()

  const isLocal = isLocalChain(chainId)
  const keyless = findKeyless(rpcUrls, publicChain?.rpcUrls ?? [])
  const settled = { ...survey, ...texts, chainId, isLocal, rpcUrls: keyless }
  const network = toNetworkFile(settled, toSchemaPath(paths.network, schemasDir, 'network-file.schema.json'))
  const list = toFirstList(settled, survey.others, toSchemaPath(paths.assets, schemasDir, 'token-list.schema.json'))
  const problems = [
    ...findProblems(networkFileSchema, network, paths.network),
    ...findProblems(tokenListSchema, list.assets.tokens, paths.assets),
  ]
  if (problems.length > 0) throw unsettled(problems)
  return { name, paths, files: { network, list }, rpcUrls, hidesKey: rpcUrls.some(mayHoldKey) }
}

/** Nothing is replaced without `--overwrite` or a yes at the terminal: not by `--yes`, which is about what was found. */
async function settleExisting(paths: NetworkPaths, { flags, asker }: Pick<PrepareDeps, 'flags' | 'asker'>): Promise<void> {
  const existing = listExisting(paths)
  if (flags.overwrite || existing.length === 0) return
  const refusal = unsettled([
    {
      field: '--name',
      found: `${existing.join(', ')}, which already exist`,
      wanted: 'another name, or --overwrite to replace them',
    },
  ])
  if (!(await asker.confirm(`${existing.join(', ')} already exist. Replace?`))) throw refusal
}
