import { expect, it } from 'vitest'
import type { NetworkFile } from '../networkFileSchema.ts'
import { networkFile } from '../testing/market.ts'
import { toHelmetOptions } from './helmetOptions.ts'

function connectSourcesOf(changes: Partial<Pick<NetworkFile, 'walletConnect'>>, publicRpcUrl?: string): unknown {
  const chain = { ...networkFile.chain, ...(publicRpcUrl !== undefined && { publicRpcUrl }) }
  const { contentSecurityPolicy } = toHelmetOptions({ network: { ...networkFile, chain, ...changes }, publicOrigin: undefined })
  return typeof contentSecurityPolicy === 'object' ? contentSecurityPolicy.directives?.['connectSrc'] : undefined
}

it('a page connects to this server and the public node, and to one relay where WalletConnect is offered', () => {
  const projectId = 'c4f79cc821944d9680842e34466bfb1d'
  expect(connectSourcesOf({})).toEqual(["'self'"])
  expect(connectSourcesOf({ walletConnect: { projectId } })).toEqual(["'self'", 'wss://relay.walletconnect.org'])
  const relayUrl = 'wss://relay.example:8443/v2'
  expect(connectSourcesOf({ walletConnect: { projectId, relayUrl } }, 'https://node.example/key')).toEqual([
    "'self'",
    'https://node.example',
    'wss://relay.example:8443',
  ])
})
