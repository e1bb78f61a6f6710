import { fieldsOf } from '@chainboard/core'
import { isRedirect } from '../chain/isRedirect.ts'
import { type PostOutcome, postJson, readCorsHeaders } from '../chain/postJson.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import type { DoctorRun } from './doctorRun.ts'
import { hostOf } from './node.ts'

/** Any other site stands for the browser's question. */
const origin = 'https://chainboard.example'
const examples = { address: `0x${'ab'.repeat(20)}`, hash: `0x${'ab'.repeat(32)}` } as const

/** Whether a link made from a template leads where it should: its placeholder belongs after the host. Pure. */
export function judgeTemplate(field: string, template: string, name: keyof typeof examples): Finding {
  const url = URL.parse(template.replaceAll(`{${name}}`, examples[name]))
  const wanted = `a URL with {${name}} after the host`
  const rest = /\{[^}]*\}/.exec(template.replaceAll(`{${name}}`, ''))?.[0]
  if (rest) return fail({ field, found: `the unknown placeholder ${rest}`, wanted, todo: `Write {${name}}` })
  if (!url || url.host.includes(examples[name].slice(2)) || !url.href.slice(url.origin.length).includes(examples[name]))
    return fail({ field, found: template, wanted, todo: 'Open one such page and put the placeholder in its place' })
  if (url.protocol !== 'https:')
    return warn({ field, found: template, wanted: 'https', todo: 'Otherwise visitors open the link without encryption' })
  return ok(field, url.host)
}

/** Looks at every link that pages are made of. */
export function checkLinks({ examined, say }: DoctorRun): void {
  const { dex, explorer } = examined.network
  for (const name of ['swapUrl', 'poolUrl'] as const) {
    const template = dex[name]
    say(
      template === undefined
        ? ok(`dex.${name}`, 'none: there is no such link')
        : judgeTemplate(`dex.${name}`, template, 'address'),
    )
  }
  if (!explorer) return
  say(judgeTemplate('explorer.txUrl', explorer.txUrl, 'hash'))
  say(judgeTemplate('explorer.addressUrl', explorer.addressUrl, 'address'))
}

/** Looks at the node that browsers call by themselves: it has to let other sites' pages in. */
export async function checkPublicRpc({ examined, callTimeoutMs, say }: DoctorRun): Promise<void> {
  const { publicRpcUrl: url, id } = examined.network.chain
  if (!url) return say(ok('chain.publicRpcUrl', 'none: browsers call the node through this server'))
  const field = `chain.publicRpcUrl (${hostOf(url)})`
  const leaveOut =
    examined.network.rpc === 'off'
      ? 'Use another URL: with "rpc": "off" browsers have no other way to the node'
      : 'Leave it out: then browsers call the node through this server'
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
  const outcome = await postJson({ url, body, timeoutMs: callTimeoutMs, headers: { origin } })
  const chainId = outcome.kind === 'json' ? Number(fieldsOf(outcome.value)['result']) : Number.NaN
  if (chainId !== id)
    return say(
      fail({
        field,
        found: describeChainId(outcome, chainId),
        wanted: `chain id ${id}`,
        todo: leaveOut,
      }),
    )
  const before = await readCorsHeaders(url, origin, callTimeoutMs)
  const after = outcome.kind === 'json' ? outcome.headers : undefined
  if (!letsIn(before) || !letsIn(after))
    return say(
      fail({
        field,
        found: `no access-control-allow-origin ${letsIn(before) ? 'in its answer' : 'before the call'}`,
        wanted: 'one that lets other sites in',
        todo: leaveOut,
      }),
    )
  say(ok(field, 'answers browsers of other sites'))
}

function describeChainId(outcome: PostOutcome, chainId: number): string {
  if (outcome.kind === 'status' && isRedirect(outcome)) return 'a redirect, which is not followed'
  return Number.isNaN(chainId) ? 'no answer to eth_chainId' : `chain id ${chainId}`
}

function letsIn(headers: Headers | undefined): boolean {
  const allowed = headers?.get('access-control-allow-origin')
  return allowed === '*' || allowed === origin
}
