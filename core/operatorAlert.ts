/**
 * What is unusual about an act of an operator. `first-use`: the wallet has not acted in this role before. `new-address`: not from this
 * network. `many-deletions`: it deletes one key after the other.
 */
export const operatorAlerts = ['first-use', 'new-address', 'many-deletions'] as const

export type OperatorAlert = (typeof operatorAlerts)[number]
