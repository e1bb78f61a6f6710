import type { Network } from './deps.ts'

/** Where the site has the logos of its network: `/logos/<network>/`. */
export function logosPrefix({ networkName }: Pick<Network, 'networkName'>): string {
  return `/logos/${networkName}/`
}
