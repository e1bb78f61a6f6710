/** Holds `burst` at once, and forgets one every `forgetSeconds`. When it will be empty, in unix seconds, is all that is kept of it. */
export type LeakyBucket = { readonly burst: number; readonly forgetSeconds: number }

/** Seconds until there is room for one more; 0 or less when there is now. */
export function roomInSeconds({ burst, forgetSeconds }: LeakyBucket, emptyAtSeconds: number, nowSeconds: number): number {
  return emptyAtSeconds - (burst - 1) * forgetSeconds - nowSeconds
}

/** When it will be empty with one more in it, whether there was room for that or not. */
export function addOne({ forgetSeconds }: LeakyBucket, emptyAtSeconds: number, nowSeconds: number): number {
  return Math.max(emptyAtSeconds, nowSeconds) + forgetSeconds
}
