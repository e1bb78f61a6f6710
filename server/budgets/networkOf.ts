/**
 * The network of a client, which one party usually has whole: the /48 of an IPv6 client, the /24 of an IPv4 one.
 * `2001:db8:1:2::/64` -> `2001:db8:1::/48`, `192.0.2.1` -> `192.0.2.0/24`; what is neither stays as it is
 * @param client as `clientOf` names it
 */
export function networkOf(client: string): string {
  const [, site] = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/.exec(client) ?? []
  if (site !== undefined) return `${site}::/48`
  const [, block] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(client) ?? []
  return block === undefined ? client : `${block}.0/24`
}
