/**
 * What an operator may do, the least first; each role may what those before it may. `viewer`: read. `editor`: create and change keys,
 * edit what the site shows. `owner`: delete keys, and end other operators' sessions.
 */
export const operatorRoles = ['viewer', 'editor', 'owner'] as const

export type OperatorRole = (typeof operatorRoles)[number]

/** Whether a role includes what another one may. */
export function hasRole(role: OperatorRole, least: OperatorRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(least)
}
