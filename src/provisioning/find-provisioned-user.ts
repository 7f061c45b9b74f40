import { sql } from 'kysely'
import type { FindProvisionedUser } from '../accounts/sign-in/provider/provider-sign-in.ts'

/** Only Microsoft issues `oid`. Elsewhere a person could choose the value of a claim with this name. */
const MICROSOFT_ISSUER =
  /^https:\/\/(?:login\.microsoftonline\.(?:com|us)|login\.partner\.microsoftonline\.cn|sts\.windows\.net)\//

/**
 * The account that a provisioning client created for a person at the sign-in provider: by the id that the provider never
 * changes, otherwise by a verified address. Only an account without any way to sign in, because every other account has an
 * owner, who links the provider. Null if there is none, or if it is not clear which one.
 */
export const findProvisionedUser: FindProvisionedUser = async (tx, person) => {
  const { issuer, subject, objectId, verifiedEmail } = person
  const ids = MICROSOFT_ISSUER.test(issuer) && objectId !== null ? [subject, objectId] : [subject]
  const { rows } = await sql<{ id: string; isById: boolean }>`
    select u.id, coalesce(s.external_id = any(${ids}::text[]), false) as "isById"
    from scim_user s join app_user u on u.id = s.user_id
    where s.is_creation and s.deleted_at is null and u.password_hash is null
      and not exists (select from passkey where passkey.user_id = u.id)
      and not exists (select from external_identity i where i.user_id = u.id)
      and (s.external_id = any(${ids}::text[]) or u.email = ${verifiedEmail})
    order by u.id limit 10`.execute(tx)
  const byId = rows.filter(({ isById }) => isById)
  const found = byId.length > 0 ? byId : rows
  return found.length === 1 ? (found[0]?.id ?? null) : null
}
