/** Signatures that are understood, as COSE numbers them: EdDSA, ES256, RS256. */
export const algorithms = [-8, -7, -257] as const
