import { Code } from './DocsSection.tsx'
import { DocsTable } from './DocsTable.tsx'

const tiers = [
  ['Shared', '10,000', 'your IP address (IPv6: its /64)', 'No key'],
  ['Free', '1,000', 'the key', 'One for each wallet, no expiry'],
  ['Basic', '10,000', 'the key', '$15 a month, 30 days'],
  ['Custom', '10,000 to 1,000,000+', 'the key', 'As agreed'],
] as const

const headers = [
  ['RateLimit', '"day";r=9998;t=80955', 'r requests are left, and begin anew in t seconds'],
  ['RateLimit-Policy', '"day";q=10000;w=86400', 'q requests in w seconds'],
  ['Retry-After', '80955', 'With 429: seconds to wait'],
] as const

export function RateLimits() {
  return (
    <>
      <p>Requests are counted in days that begin at midnight UTC, exactly, however many you send at once.</p>
      <DocsTable label="Limits" heads={['Tier', 'Requests a day', 'Counted for', 'Terms']} rows={tiers} code={[]} />
      <p>
        What counts: an answer with data, <Code>304</Code>, and <Code>404 TOKEN_NOT_FOUND</Code>. A request that is refused for
        its shape, its key or its limit does not. The same numbers stand in <Code>rateLimit</Code> of every answer and in its
        headers:
      </p>
      <DocsTable label="Headers" heads={['Header', 'Example', 'Meaning']} rows={headers} code={[0, 1]} />
    </>
  )
}
