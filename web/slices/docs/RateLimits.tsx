import { Code } from './DocsSection.tsx'
import { DocsTable } from './DocsTable.tsx'

const tiers = [
  ['Shared', '10,000', 'IP address (IPv6: /64)', 'No key'],
  ['Free', '1,000', 'key', 'One per wallet, no expiry'],
  ['Basic', '10,000', 'key', '$15 a month, 30 days'],
  ['Custom', '10,000 to 1,000,000+', 'key', 'As agreed'],
] as const

const headers = [
  ['RateLimit', '"day";r=9998;t=80955', 'r requests left; the limit resets in t seconds'],
  ['RateLimit-Policy', '"day";q=10000;w=86400', 'q requests every w seconds'],
  ['Retry-After', '80955', 'With 429: how many seconds to wait'],
] as const

/** How many requests a day each kind of caller has. */
export function RateLimits() {
  return (
    <>
      <p>Limits reset at midnight UTC. Counts are exact, even for parallel requests.</p>
      <DocsTable label="Limits" heads={['Tier', 'Requests a day', 'Counted per', 'Terms']} rows={tiers} code={[]} />
      <p>
        These count as requests: responses with data, <Code>304</Code> and <Code>404 TOKEN_NOT_FOUND</Code>. Refused requests
        (malformed, a bad key, or over the limit) don't count. Every response has the numbers in <Code>rateLimit</Code> and in its
        headers:
      </p>
      <DocsTable label="Headers" heads={['Header', 'Example', 'Meaning']} rows={headers} code={[0, 1]} />
    </>
  )
}
