import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import type { DocumentRef } from '../document-ref.ts'
import {
  type ChangeSource,
  openFolderChangeSource,
  createDatabaseChangeSource,
} from './document-changes.ts'
import { deleteProjectRowIfNoDocuments } from './index-store.ts'
import { updateIndex, type IndexUpdateDependencies } from './update-index.ts'

/** After a file change, the index waits this long before it reads files, because files often change together. */
const DEBOUNCE_MS = 100
const RETRY_PAUSE_MS = 1_500
/** The pause is 50 times the last duration, so reconciliation uses at most 2 % of the time. */
const MAX_PAUSE_MS = 300_000
const PAUSE_FACTOR = 50

/** Keeps the database index of all project files up to date, so that listings and searches open no files. */
export async function openDocumentIndex(parts: IndexUpdateDependencies) {
  const { log, files } = parts
  const closing = new AbortController()
  const wakeUp = createWakeableSleep()
  const firstRun = Promise.withResolvers<void>()
  const stoppable = { ...parts, signal: closing.signal }
  const source: ChangeSource =
    files.place === 'folder'
      ? openFolderChangeSource({ ...stoppable, root: files.root }, wakeUp.wake)
      : createDatabaseChangeSource(stoppable)

  /** Reconciles all projects, and returns the pause until the next time in milliseconds. */
  const reconcileAll = async (): Promise<number> => {
    const startedAt = performance.now()
    await source.reconcile()
    const tookMs = performance.now() - startedAt
    return Math.min(Math.max(PAUSE_FACTOR * tookMs, source.minPauseMs), MAX_PAUSE_MS)
  }
  const run = async () => {
    let dueAt = 0
    while (!closing.signal.aborted) {
      try {
        await source.applyChanges()
        if (performance.now() >= dueAt) dueAt = performance.now() + (await reconcileAll())
        firstRun.resolve()
      } catch (error) {
        dueAt = performance.now() + RETRY_PAUSE_MS
        if (!closing.signal.aborted) log.error({ err: error }, 'failed to update document index')
      }
      if (closing.signal.aborted) break
      const isWoken = await wakeUp.sleep(Math.max(1, dueAt - performance.now()))
      if (isWoken && !closing.signal.aborted) await createWakeableSleep().sleep(DEBOUNCE_MS)
    }
    firstRun.resolve()
  }
  const running = run()

  return {
    /** Updates the index after the service wrote or removed this file. Resolves when it is up to date; never rejects. */
    async documentChanged(ref: DocumentRef): Promise<void> {
      try {
        await updateIndex(parts, [ref], 'always')
        if (await files.isProjectGone(ref)) {
          await deleteProjectRowIfNoDocuments(parts.db, ref.project)
        }
      } catch (error) {
        // Only the index is out of date: the document was already written or removed. The next periodic reconciliation
        // corrects the index.
        log.warn({ err: error, ...ref }, 'failed to index document')
      }
    },
    /** Resolves when all files that existed at the start are in the index. */
    ready: firstRun.promise,
    /** Compares all files with the index now. This also happens periodically. */
    reconcile: async () => void (await reconcileAll()),
    /** How many folders cannot be read. The log names them. */
    unreadableFolderCount: source.unreadableFolderCount,
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await running
      source[Symbol.dispose]()
    },
  }
}

export type DocumentIndex = Awaited<ReturnType<typeof openDocumentIndex>>
