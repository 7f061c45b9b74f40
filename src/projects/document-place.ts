import { randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { hasOtherStartedNodes } from '../db/nodes/node-rows.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { errorCode } from '../lib/error-code.ts'
import { inheritOwnerSync } from '../lib/files/file-owner.ts'
import { createOwnedFoldersSync } from '../lib/files/folders.ts'
import type { Log } from '../log.ts'
import { PROJECTS_ROOT } from './document-ref.ts'
import type { DocumentPlace, DocumentFiles } from './files/store/document-files.ts'
import { isStoredFolder } from './files/store/stored-files.ts'
import { listProjectFolders, walkProject } from './files/walk-project.ts'

export type RecordedPlace = { place: DocumentPlace; folderId: string | null }

/** An instance without a record keeps its documents in a folder, as all instances did before there was a choice. */
const UNRECORDED: RecordedPlace = { place: 'folder', folderId: null }

/** The keys of an advisory lock. A node holds it while it checks the place; a move holds it from start to end. */
export const PLACE_LOCK = [4748, 1] as const
export const LOCK_TIMEOUT_MS = 10_000
const LOCK_RETRY_MS = 100
export const LOCK_NOT_AVAILABLE = '55P03'

type Parts = {
  db: Db
  log: Log
  /** The data folder. */
  root: string
  files: DocumentFiles
  membership: Pick<NodeMembership, 'nodeId' | 'announceDocuments'>
  /** Aborts the wait for other nodes. */
  signal?: AbortSignal
  /** True if that place has prompts that are not samples. */
  hasOwnPrompts(tx: Tx, place: DocumentPlace): Promise<boolean>
}

const OTHER_PLACE = { folder: 'database', database: 'folder' } as const

type Refusal = Exclude<PlaceDecision, 'use' | 'record'>

const REFUSALS: Readonly<
  Record<Refusal, (setting: DocumentPlace, folder: string) => [problem: string, fix: string]>
> = {
  not_shared: (_, folder) => [
    `Other nodes of this instance are running with another documents folder than ${folder}. People would not see the same documents on every node`,
    'Mount the same folder as HANSARD_DATA on every node, or use HANSARD_DOCUMENTS=database, which needs no common folder: docs/nodes.md#documents',
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

const CHECKED_DOCUMENTS = 20

/** What a starting node knows about the place of documents. */
export type PlaceFacts = {
  /** The setting of this node. */
  setting: DocumentPlace
  /** Where the database says that the instance keeps its documents. */
  recorded: DocumentPlace
  /** True if this node's folder is the recorded one. Two disks can have the same path. */
  isSameFolder: boolean
  /** True if other nodes have started and are alive. */
  hasOtherNodes: boolean
  /** True if the recorded place has documents, or prompts that are not samples. */
  hasDocuments: boolean
}

/**
 * `use`: the node uses what is recorded. `record`: it uses its own place or folder, and records it for nodes that start
 * later. The other values say why it must not start.
 */
export type PlaceDecision = 'use' | 'record' | 'not_shared' | 'other_nodes_differ' | 'move_first'

/** The first rule whose facts all match decides. */
const RULES: ReadonlyArray<Partial<PlaceFacts> & { decision: PlaceDecision }> = [
  { setting: 'database', recorded: 'database', decision: 'use' },
  { setting: 'folder', recorded: 'folder', isSameFolder: true, decision: 'use' },
  { setting: 'folder', recorded: 'folder', hasOtherNodes: true, decision: 'not_shared' },
  { setting: 'folder', recorded: 'folder', decision: 'record' },
  { hasOtherNodes: true, decision: 'other_nodes_differ' },
  { hasDocuments: true, decision: 'move_first' },
  { decision: 'record' },
]

/** The name of the file with the id, in the folder of all projects. Backups do not contain it. */
export const FOLDER_ID_FILE = '.folder-id'

/** Where the instance keeps its documents. Also works with a database of an older version. */
export async function readRecordedPlace(db: Db): Promise<RecordedPlace> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('document_place') is not null as exists`.execute(db)
  if (tables[0]?.exists !== true) return UNRECORDED
  const row = await db
    .selectFrom('document_place')
    .select(['place', 'folder_id as folderId'])
    .executeTakeFirst()
  return row ?? UNRECORDED
}

export async function recordPlace(tx: Db, { place, folderId }: RecordedPlace): Promise<void> {
  const values = { place, folder_id: folderId }
  await tx
    .insertInto('document_place')
    .values(values)
    .onConflict((conflict) => conflict.column('is_only_row').doUpdateSet(values))
    .execute()
}

/** Nodes that start together decide one after another. Throws during a move of documents or if the signal aborts. */
export async function lockPlace(tx: Tx, signal?: AbortSignal): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS
  // Polls, because a statement that waits for the lock could not be aborted.
  while (!(await tryLockPlace(tx))) {
    signal?.throwIfAborted()
    if (performance.now() > deadline)
      throw new OperatorError(
        'The documents of this instance are being moved',
        'Wait until `hansard documents move` has ended, then start again',
      )
    await sleep(LOCK_RETRY_MS)
  }
}

async function tryLockPlace(tx: Tx): Promise<boolean> {
  const [group, key] = PLACE_LOCK
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${group}::int, ${key}::int) as "isLocked"`.execute(tx)
  return rows[0]?.isLocked ?? false
}

/** Decides if a node may start with its setting. */
export function decidePlace(facts: PlaceFacts): PlaceDecision {
  const names = Object.keys(facts) as Array<keyof PlaceFacts>
  const rule = RULES.find((one) =>
    names.every((name) => one[name] === undefined || one[name] === facts[name]),
  )
  return rule?.decision ?? 'move_first'
}

/**
 * A random id in the folder with the documents. Nodes that see the same id share the folder. The path alone proves
 * nothing, because every machine can have a folder with that name.
 */
export async function readOrCreateFolderId(root: string): Promise<string> {
  const folder = join(root, PROJECTS_ROOT)
  const path = join(folder, FOLDER_ID_FILE)
  createOwnedFoldersSync(folder, 0o755)
  const found = await readId(path)
  if (found !== null) return found
  // A link can be created only once, even if two nodes try at the same time, and never shows a half-written file.
  const fresh = join(folder, `.${randomUUID()}.tmp`)
  await writeFile(fresh, `${randomUUID()}\n`, { mode: 0o644, flush: true })
  inheritOwnerSync(fresh)
  try {
    await link(fresh, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(fresh, { force: true })
  }
  const id = await readId(path)
  if (id === null) throw new Error(`${path} was removed while it was created`)
  return id
}

/** The id of the folder with the documents; null if it has none. */
export function readFolderId(root: string): Promise<string | null> {
  return readId(join(root, PROJECTS_ROOT, FOLDER_ID_FILE))
}

async function readId(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null
    throw error
  }
}

/**
 * Checks that this node may use the place of documents in its settings: no other node has another place, and no
 * document is left behind. Throws an error that tells the operator what to do.
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
