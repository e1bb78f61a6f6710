import { isIPv6 } from 'node:net'

const groupsOfNetwork = 4

/**
 * Whom a call counts for: its IPv4 address, or the /64 of its IPv6 one, which a single visitor usually has whole.
 * `2001:db8::1` -> `2001:db8:0:0::/64`, `::ffff:192.0.2.1` -> `192.0.2.1`, `192.0.2.1:4711` -> `192.0.2.1`
 */
export function clientOf({ ip: told }: { readonly ip: string }): string {
  const ip = dropPort(told)
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped) return mapped
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length
  const whole = [...groups, ...Array<string>(missing).fill('0'), ...(tail ?? '').split(':').filter(Boolean)]
  const network = whole.slice(0, groupsOfNetwork).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** Some proxies forward `192.0.2.1:4711` or `[2001:db8::1]:4711`: each connection would count for itself. */
function dropPort(told: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(told)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(told)?.[1] ?? told
}
