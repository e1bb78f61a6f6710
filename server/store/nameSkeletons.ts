import type { Tx } from './store.ts'

/**
 * One user more whose name looks like that, or one less. Holds the skeleton until the transaction ends.
 * @returns users whose names look like that after it
 */
export async function changeNameSkeleton(tx: Tx, skeleton: string, by: 1 | -1): Promise<number> {
  const { users } = await tx
    .insertInto('name_skeletons')
    .values({ skeleton, users: by })
    .onConflict((c) => c.column('skeleton').doUpdateSet((e) => ({ users: e('name_skeletons.users', '+', by) })))
    .returning('users')
    .executeTakeFirstOrThrow()
  if (users <= 0) await tx.deleteFrom('name_skeletons').where('skeleton', '=', skeleton).execute()
  return users
}
