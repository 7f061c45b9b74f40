import type { Db } from '../../db/database.ts'
import { listPasskeys, type Passkey } from './passkeys/passkey-store.ts'
import { listIdentities, type LinkedIdentity } from './provider/identities.ts'

/** The ways in which a user can sign in. */
export type SignInMethods = {
  hasPassword: boolean
  identities: LinkedIdentity[]
  passkeys: Passkey[]
}

export function createSignInMethodList({ db }: { db: Db }) {
  return async (userId: string): Promise<SignInMethods> => {
    const user = await db
      .selectFrom('app_user')
      .select('password_hash')
      .where('id', '=', userId)
      .executeTakeFirst()
    return {
      hasPassword: user?.password_hash != null,
      identities: await listIdentities(db, userId),
      passkeys: await listPasskeys(db, userId),
    }
  }
}
