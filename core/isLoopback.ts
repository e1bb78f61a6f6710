const ipv4 = /^127(\.\d{1,3}){3}$/
const ipv6 = /^\[?(::1|::ffff:127(\.\d{1,3}){3}|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})\]?$/

/**
 * Whether a name without a port is one by which a machine reaches itself alone, so that nobody else comes by it.
 * `127.0.0.1`, `::1`, `[::1]`, `localhost`, `a.localhost` -> true; `0.0.0.0`, `localhost.example` -> false
 */
export function isLoopback(name: string): boolean {
  const host = name.toLowerCase()
  return host === 'localhost' || host.endsWith('.localhost') || ipv4.test(host) || ipv6.test(host)
}
