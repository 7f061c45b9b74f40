import type { Pool, PoolClient } from 'pg'
import type { Db } from '../../db/database.ts'
import { hasLiveNodes } from '../../db/nodes/node-rows.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { errorCode } from '../../lib/error-code.ts'
import {
  readFolderId,
  LOCK_NOT_AVAILABLE,
  LOCK_TIMEOUT_MS,
  PLACE_LOCK,
  readRecordedPlace,
  type RecordedPlace,
} from '../../projects/document-place.ts'
import type { DocumentPlace } from '../../projects/files/store/document-files.ts'
import { keepOldFolders, moveToDatabase, moveToFolder } from './move-files.ts'

export type MoveProgress = { done: number; total: number; bytes: number }

export type MoveOptions = {
  db: Db
  pool: Pool
  /** The data folder. */
  root: string
  to: DocumentPlace
  /** True to leave out what the target can't store, instead of refusing to move. */
  skipsUnsupported: boolean
  now: Date
  onProgress(progress: MoveProgress): void
}

/** `requireLock` throws if the lock that keeps nodes from starting is lost. */
export type LockedMoveOptions = MoveOptions & { requireLock(): Promise<void> }

export type MoveResult = {
  files: number
  bytes: number
  /** Files that an interrupted earlier move had already copied. */
  alreadyCopied: number
  /** What was left out. */
  skipped: string[]
  /** Folders in the data folder with the previous files. */
  kept: string[]
}

export type MoveReport = MoveResult & { place: DocumentPlace; wasMoved: boolean }

/**
 * Moves all documents and prompts to the database or to the data folder. Each file is copied and compared by digest.
 * The record of where the documents are changes last. The next move continues an interrupted one.
 */
export async function moveDocuments(options: MoveOptions): Promise<MoveReport> {
  const { db, pool, to } = options
  const client = await pool.connect()
  try {
    await lockPlaceDuringMove(client)
    if (await hasLiveNodes(db)) {
      throw new OperatorError(
        'Nodes of this instance are running, and could write documents meanwhile',
        'Stop all of them first (systemctl stop hansard, or scale the deployment to 0), then try again',
      )
    }
    const recorded = await readRecordedPlace(db)
    if (recorded.place === to) return await finishEarlierMove(options)
    if (to === 'database') await requireFolderWithDocuments(options, recorded)
    const locked = { ...options, requireLock: () => requireConnection(client) }
    const result = to === 'database' ? await moveToDatabase(locked) : await moveToFolder(locked)
    return { ...result, place: to, wasMoved: true }
  } finally {
    // Closing the connection also releases the lock.
    client.release(true)
  }
}

/**
 * Keeps nodes from starting until the connection is closed. Waits a little, because the server may not have noticed yet
 * that a killed process is gone.
 */
async function lockPlaceDuringMove(client: PoolClient): Promise<void> {
  try {
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await client.query('select pg_advisory_lock($1, $2)', [...PLACE_LOCK])
  } catch (error) {
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
    throw new OperatorError(
      'Another move of the documents is running, or a node is starting',
      'Wait until it has ended, then try again',
      error,
    )
  }
}

/** The lock is lost with its connection, and a node may have started since. */
async function requireConnection(client: PoolClient): Promise<void> {
  try {
    await client.query('select 1')
  } catch (error) {
    throw new OperatorError(
      'The connection that keeps nodes from starting was lost, so the move was stopped',
      'Move again: what was copied is not copied twice',
      error,
    )
  }
}

/** With another data folder, nothing would move, and the instance would lose its documents. */
async function requireFolderWithDocuments(
  { root }: MoveOptions,
  { folderId }: RecordedPlace,
): Promise<void> {
  if (folderId === null || folderId === (await readFolderId(root))) return
  throw new OperatorError(
    `The documents of this instance are not in ${root}: its id is not the one that nodes have recorded`,
    'Run the move with the HANSARD_DATA of the nodes',
  )
}

/** If a move is killed after its last transaction, the old files stay in place. */
async function finishEarlierMove({ root, to, now }: MoveOptions): Promise<MoveReport> {
  const kept = to === 'database' ? await keepOldFolders(root, now) : []
  const nothing = { files: 0, bytes: 0, alreadyCopied: 0, skipped: [] }
  return { ...nothing, kept, place: to, wasMoved: false }
}
