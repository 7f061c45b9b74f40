import { sql } from 'kysely'
import { appendAudit } from '../../accounts/audit.ts'
import type { Db, Tx } from '../../db/database.ts'
import { newId, sha256 } from '../../lib/crypto.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { lockProjectAccess } from '../registered-projects.ts'
import {
  CREATOR_FACTS_JOINS,
  findCreatorProblem,
  SELECT_CREATOR_FACTS,
  type CreatorFacts,
} from './open-share.ts'

/** Who decided that content of a project is shared with guests. The links need the rights of this user or token. */
export type Sharer = {
  /** As in the audit log. */
  createdBy: string
  /** Null for a service token. */
  creatorId: string | null
}

/** True while the sharer may share content of the project. */
export async function maySharerShare(
  db: Db,
  project: string,
  { createdBy, creatorId }: Sharer,
): Promise<boolean> {
  const { rows } = await sql<CreatorFacts>`
    select s.project, ${SELECT_CREATOR_FACTS}
    from (select ${project}::text as project, ${createdBy}::text as created_by, ${creatorId}::text as creator_id) s
      ${CREATOR_FACTS_JOINS}`.execute(db)
  const [facts] = rows
  return facts !== undefined && findCreatorProblem(facts) === null
}

/** Locks what decides about links of a project, so that making it private ends the links of this transaction too. */
export async function lockForGuestShares(
  tx: Tx,
  project: string,
  sharer: Sharer,
  now: Date,
): Promise<boolean> {
  await lockProjectAccess(tx, project, 'use', now)
  return maySharerShare(tx, project, sharer)
}

export type GuestShares = {
  meetingId: string
  project: string
  sharer: Sharer
  days: number
  /** The address of each guest, with the secret of the link. */
  guests: ReadonlyArray<{ address: string; secret: string }>
}

/** Stores a link to a meeting for each guest, so that each can be revoked alone. */
export async function storeGuestShares(
  tx: Tx,
  { meetingId, project, sharer, days, guests }: GuestShares,
  now: Date,
): Promise<void> {
  if (guests.length === 0) return
  const rows = guests.map(({ address, secret }) => ({
    id: newId('share'),
    secret_hash: sha256(secret),
    project,
    meeting_id: meetingId,
    path: null,
    password_hash: null,
    recipient: address,
    created_by: sharer.createdBy,
    creator_id: sharer.creatorId,
    created_at: now,
    expires_at: new Date(now.getTime() + days * DAY_MS),
  }))
  await tx.insertInto('share_link').values(rows).execute()
  const actor = { name: sharer.createdBy, ip: null }
  await appendAudit(tx, now, actor, 'share links mailed', meetingId, String(rows.length))
}
