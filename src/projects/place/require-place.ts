import { join } from 'node:path'
import type { Db, Tx } from '../../db/database.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { hasOtherStartedNodes } from '../../db/nodes/node-rows.ts'
import { OperatorError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { PROJECTS_ROOT } from '../document-ref.ts'
import type { DocumentFiles, DocumentPlace } from '../files/store/document-files.ts'
import { isStoredFolder } from '../files/store/stored-files.ts'
import { listProjectFolders, walkProject } from '../files/walk-project.ts'
import { decidePlace, type PlaceDecision } from './decide-place.ts'
import { readOrCreateFolderId } from './folder-id.ts'
import { lockPlace, readRecordedPlace, recordPlace, type RecordedPlace } from './recorded-place.ts'

type Parts = {
  db: Db
  log: Log
  /** The data folder. */
  root: string
  files: DocumentFiles
  membership: Pick<NodeMembership, 'nodeId' | 'announceDocuments'>
  /** Ends the wait for other nodes. */
  signal?: AbortSignal
  /** Whether that place has prompts that are not samples. */
  hasOwnPrompts(tx: Tx, place: DocumentPlace): Promise<boolean>
}

/**
 * Checks that this node may use the place of documents in its settings: no other node has another one, and no document
 * is left behind. Throws what the operator has to do.
 */
export async function requirePlaceOfDocuments(parts: Parts): Promise<void> {
  const { db, log, root, files, membership } = parts
  const setting = files.place
  const folderId = setting === 'folder' ? await readOrCreateFolderId(root) : null
  const decision = await db.transaction().execute(async (tx) => {
    await lockPlace(tx, parts.signal)
    const recorded = await readRecordedPlace(tx)
    const decided = decidePlace({
      setting,
      recorded: recorded.place,
      isSameFolder: folderId === recorded.folderId,
      hasOtherNodes: await hasOtherStartedNodes(tx, membership.nodeId),
      hasDocuments: setting !== recorded.place && (await hasDocuments(parts, tx, recorded)),
    })
    refuse(decided, setting, root)
    if (decided === 'record') await recordPlace(tx, { place: setting, folderId })
    const announced = folderId === null ? 'database' : `folder ${folderId}`
    await membership.announceDocuments(tx, announced)
    return decided
  })
  if (decision === 'record') {
    log.info({ place: setting, folderId }, 'recorded where the documents are')
    await warnAboutMissingDocuments(parts)
  }
}

const OTHER_PLACE = { folder: 'database', database: 'folder' } as const

type Refusal = Exclude<PlaceDecision, 'use' | 'record'>

const REFUSALS: Readonly<
  Record<Refusal, (setting: DocumentPlace, folder: string) => [problem: string, fix: string]>
> = {
  not_shared: (_, folder) => [
    `Other nodes of this instance are running with another documents folder than ${folder}. People would not see the same documents on every node`,
    'Mount the same folder as HANSARD_DATA on every node, or use HANSARD_DOCUMENTS=database, which needs no common folder: docs/operate.md, Several nodes',
  ],
  other_nodes_differ: (setting) => [
    `This node has HANSARD_DOCUMENTS=${setting}, and running nodes of this instance have HANSARD_DOCUMENTS=${OTHER_PLACE[setting]}`,
    'Use the same setting on every node. To change it, stop all nodes and run: hansard documents move --to ' +
      setting,
  ],
  move_first: (setting) => [
    `HANSARD_DOCUMENTS=${setting}, but the documents of this instance are in the ${OTHER_PLACE[setting]}`,
    `Move them, with the data folder in which they are: hansard documents move --to ${setting}. Or set HANSARD_DOCUMENTS=${OTHER_PLACE[setting]}`,
  ],
}

function refuse(decision: PlaceDecision, setting: DocumentPlace, root: string): void {
  if (decision === 'use' || decision === 'record') return
  throw new OperatorError(...REFUSALS[decision](setting, join(root, PROJECTS_ROOT)))
}

async function hasDocuments(parts: Parts, tx: Tx, { place }: RecordedPlace): Promise<boolean> {
  const indexed = await tx.selectFrom('document').select('id').limit(1).execute()
  if (indexed.length > 0) return true
  const hasFiles =
    place === 'database' ? await isStoredFolder(tx, PROJECTS_ROOT) : await hasFile(parts.root)
  return hasFiles || parts.hasOwnPrompts(tx, place)
}

async function hasFile(root: string): Promise<boolean> {
  const docs = join(root, PROJECTS_ROOT)
  for (const project of await listProjectFolders(docs)) {
    for await (const { files } of walkProject(docs, project)) if (files.length > 0) return true
  }
  return false
}

const CHECKED_DOCUMENTS = 20

/** A folder that is new to the instance may be the wrong one. */
async function warnAboutMissingDocuments({ db, log, root, files }: Parts): Promise<void> {
  const newest = await db
    .selectFrom('document')
    .select(['project', 'path'])
    .orderBy('modified_at', 'desc')
    .limit(CHECKED_DOCUMENTS)
    .execute()
  const found = await Promise.all(newest.map((ref) => files.readInfo(ref)))
  const missing = found.filter((info) => info === null).length
  if (missing === 0) return
  const context = { missing, checked: newest.length, folder: join(root, PROJECTS_ROOT) }
  log.warn(context, 'documents that the index knows are missing: this may be the wrong data folder')
}
