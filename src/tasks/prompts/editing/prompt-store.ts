import { findPromptRefusal, type PromptRefusal } from '../../../access/rules.ts'
import type { Viewer } from '../../../access/viewer.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { ServiceError } from '../../../errors.ts'
import {
  computeEtag,
  requirePreconditionsMet,
  type Preconditions,
  createWriteLock,
} from '../../../projects/files/concurrent-writes.ts'
import { hashPrompt } from '../prompt-files.ts'
import { isPromptName, PROMPT_NAME_RULE_TEXT, toPromptLockName } from '../prompt-name.ts'
import type { PromptFile, PromptFiles } from '../store/prompt-storage.ts'
import type { CheckedPromptText } from './find-prompt-notes.ts'
import { findPromptUse, type PromptUse } from './prompt-use.ts'

/** A prompt for a person who reads or edits it. */
export type EditablePrompt = {
  name: string
  text: string
  etag: string
  /** Why the viewer may not change it; null if they may. */
  refusal: PromptRefusal | null
  /** Who wrote it in the console. Null for a built-in prompt, and for a file that was written by hand. */
  author: { id: string; name: string } | null
  use: PromptUse
}

export type PromptChange = 'prompt created' | 'prompt changed' | 'prompt removed'

/** Stores the audit entry of a change, after the file has changed. */
export type RecordPromptChange = (tx: Tx, change: PromptChange) => Promise<void>

type Parts = {
  db: Db
  promptFiles: PromptFiles
  /** The hashes of the prompts that ship with the product, by name. */
  builtIns: ReadonlyMap<string, string>
  hasDiskSpace(): boolean
  checkText(viewer: Viewer, text: string): Promise<CheckedPromptText>
}

/** Limited because the gallery checks and shows all of them. */
const MAX_PROMPTS = 500

type FoundFile = Extract<PromptFile, { state: 'found' }>

/** Who created a prompt in the console, and the hashes of the last texts that the service wrote. */
type PromptAuthor = { id: string; name: string; sha256s: string[] }

/** Reads, writes and removes prompts' files for people. */
export function createPromptStore(parts: Parts) {
  const { db, promptFiles } = parts
  const withLock = createWriteLock(db)

  return {
    async read(viewer: Viewer, name: string): Promise<EditablePrompt> {
      const file = await promptFiles.read(name)
      if (file.state === 'found') return (await describePrompt(parts, viewer, name, file)).prompt
      throw isPromptName(name) && file.state === 'unreadable'
        ? pathTakenError(file.message)
        : notFoundError(name)
    },

    /** Creates or replaces a prompt. Refuses a text with errors, because tasks may use it. */
    async write(
      viewer: Viewer,
      { name, text }: { name: string; text: string },
      conditions: Preconditions,
      record: RecordPromptChange,
    ) {
      requireName(name)
      if (!parts.hasDiskSpace()) throw new ServiceError('storage_full', { retryAfterSeconds: 60 })
      requireNoErrors(name, await parts.checkText(viewer, text))
      const sha256 = hashPrompt(Buffer.from(text))
      const prepare = async (inTx: Parts & { db: Tx }) => {
        const file = await inTx.promptFiles.read(name)
        if (file.state === 'unreadable') throw pathTakenError(file.message)
        const isNew = file.state === 'missing'
        requirePreconditionsMet(isNew ? null : computeEtag(file.bytes), conditions)
        const before = isNew ? null : await describePrompt(inTx, viewer, name, file)
        if (before === null) await requireCreatable(inTx, viewer, name)
        else requireNoRefusal(before.prompt.refusal)
        await recordPromptText(inTx.db, name, {
          authorId: before === null ? userIdOf(viewer) : (before.prompt.author?.id ?? null),
          sha256s: [...(before === null ? [] : [before.sha256]), sha256],
        })
        return isNew
      }
      // Committed before the file is written, so that the author keeps the prompt if the second commit fails.
      await withLock(toPromptLockName(name), (tx) => prepare(toPartsInTransaction(parts, tx)))
      return withLock(toPromptLockName(name), async (tx) => {
        const inTx = toPartsInTransaction(parts, tx)
        const isNew = await prepare(inTx)
        await inTx.promptFiles.write(name, text)
        await record(tx, isNew ? 'prompt created' : 'prompt changed')
        return { etag: computeEtag(Buffer.from(text)), isNew }
      })
    },

    /** Refused while a task uses the prompt. */
    async remove(
      viewer: Viewer,
      name: string,
      conditions: Preconditions,
      record: RecordPromptChange,
    ) {
      requireName(name)
      await withLock(toPromptLockName(name), async (tx) => {
        const inTx = toPartsInTransaction(parts, tx)
        const file = await inTx.promptFiles.read(name)
        if (file.state === 'missing') throw notFoundError(name)
        if (file.state === 'unreadable') throw pathTakenError(file.message)
        requirePreconditionsMet(computeEtag(file.bytes), conditions)
        const { prompt } = await describePrompt(inTx, viewer, name, file)
        requireNoRefusal(prompt.refusal)
        requireUnused(prompt.use)
        await deletePromptAuthor(tx, name)
        await record(tx, 'prompt removed')
        // Last: an author without a file has no effect, but a file without its author would belong to nobody.
        await inTx.promptFiles.remove(name)
      })
    },
  }
}

export type PromptStore = ReturnType<typeof createPromptStore>

function toPartsInTransaction(parts: Parts, tx: Tx): Parts & { db: Tx } {
  return { ...parts, db: tx, promptFiles: parts.promptFiles.inTransaction(tx) }
}

async function describePrompt(
  { db, builtIns }: Parts,
  viewer: Viewer,
  name: string,
  { bytes }: FoundFile,
): Promise<{ prompt: EditablePrompt; sha256: string }> {
  const sha256 = hashPrompt(bytes)
  const author = authorOfText(await findPromptAuthor(db, name), sha256)
  const use = await findPromptUse(db, viewer, name)
  const refusal = refusalOf(viewer, { builtIns, name, sha256, author, use })
  const { id, name: authorName } = author ?? {}
  return {
    sha256,
    prompt: {
      name,
      text: bytes.toString('utf8'),
      etag: computeEtag(bytes),
      refusal,
      author: id === undefined || authorName === undefined ? null : { id, name: authorName },
      use,
    },
  }
}

/** Returns why the viewer may not change the prompt; null if they may. */
export function refusalOf(
  viewer: Viewer,
  facts: {
    builtIns: ReadonlyMap<string, string>
    name: string
    sha256: string | null
    author: PromptAuthor | null
    use: PromptUse
  },
): PromptRefusal | null {
  const { builtIns, name, sha256, author, use } = facts
  return findPromptRefusal(viewer, {
    isBuiltIn: sha256 !== null && builtIns.get(name) === sha256,
    authorId: author?.id ?? null,
    isUsedByOthers: use.isUsedByOthers,
  })
}

/**
 * The part of the use that the viewer may know. The existence of hidden tasks is revealed only to people who could
 * otherwise change the prompt.
 */
export function toShownUse(
  { tasks, hasHiddenTasks }: PromptUse,
  refusal: PromptRefusal | null,
): Pick<PromptUse, 'tasks' | 'hasHiddenTasks'> {
  const mayKnow = refusal === null || refusal === 'used_by_others'
  return { tasks, hasHiddenTasks: mayKnow && hasHiddenTasks }
}

const REFUSAL_TEXTS: Readonly<Record<PromptRefusal, string>> = {
  built_in: 'A built-in prompt cannot be changed. Duplicate it to make your own version',
  not_author:
    'Only its author and admins can change this prompt. Duplicate it to make your own version',
  used_by_others:
    'Tasks of other people use this prompt, so only an admin can change it. Duplicate it to make your own version',
}

function requireNoRefusal(refusal: PromptRefusal | null): void {
  if (refusal !== null) throw new ServiceError('prompt_read_only', { text: REFUSAL_TEXTS[refusal] })
}

/** A task can name a prompt whose file is missing. Only admins may decide which text such a task runs. */
async function requireCreatable(
  { db, promptFiles }: Parts,
  viewer: Viewer,
  name: string,
): Promise<void> {
  const { isUsedByOthers } = await findPromptUse(db, viewer, name)
  const facts = { isBuiltIn: false, authorId: userIdOf(viewer), isUsedByOthers }
  requireNoRefusal(findPromptRefusal(viewer, facts))
  if ((await promptFiles.list()).length >= MAX_PROMPTS) throw new ServiceError('too_many_prompts')
}

function requireUnused({ tasks, hasHiddenTasks }: PromptUse): void {
  if (tasks.length === 0 && !hasHiddenTasks) return
  const named = `Tasks use this prompt: ${tasks.slice(0, 10).join(', ')}`
  const hidden = hasHiddenTasks ? ', and some that you cannot see' : ''
  throw new ServiceError('prompt_in_use', {
    text: tasks.length === 0 ? 'Tasks that you cannot see use this prompt' : named + hidden,
  })
}

function requireName(name: string): void {
  if (isPromptName(name)) return
  throw new ServiceError('invalid_request', {
    details: [{ path: 'name', message: PROMPT_NAME_RULE_TEXT }],
  })
}

function requireNoErrors(name: string, { notes }: CheckedPromptText): void {
  const errors = notes.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  throw new ServiceError('invalid_prompt', {
    text: `The prompt ${name} has problems`,
    details: errors.map(({ line, message }) => ({
      path: 'text',
      message: line === null ? message : `Line ${line}: ${message}`,
    })),
  })
}

function userIdOf(viewer: Viewer): string | null {
  return viewer.kind === 'user' ? viewer.userId : null
}

function notFoundError(name: string): ServiceError {
  return new ServiceError('prompt_not_found', { text: `Prompt not found: ${name}` })
}

function pathTakenError(message: string): ServiceError {
  return new ServiceError('path_taken', { text: message })
}

/** The authors, by prompt. A row only applies while the file has one of its hashes. */
export async function listPromptAuthors(db: Db): Promise<Map<string, PromptAuthor>> {
  const rows = await selectAuthors(db).execute()
  return new Map(rows.map(({ promptName, ...author }) => [promptName, author]))
}

async function findPromptAuthor(db: Db, promptName: string): Promise<PromptAuthor | null> {
  const row = await selectAuthors(db)
    .where('prompt_author.name', '=', promptName)
    .executeTakeFirst()
  return row ?? null
}

/** The author of a text; null if nobody wrote it in the console, for example after a change by hand. */
export function authorOfText(
  author: PromptAuthor | null,
  sha256: string | null,
): PromptAuthor | null {
  return author !== null && sha256 !== null && author.sha256s.includes(sha256) ? author : null
}

/**
 * Records a prompt's next text before its file is written. The previous text stays valid, so that the author keeps the
 * prompt if the write fails.
 */
async function recordPromptText(
  tx: Tx,
  promptName: string,
  { authorId, sha256s }: { authorId: string | null; sha256s: string[] },
): Promise<void> {
  if (authorId === null) return deletePromptAuthor(tx, promptName)
  await tx
    .insertInto('prompt_author')
    .values({ name: promptName, author_id: authorId, sha256s })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ author_id: authorId, sha256s }))
    .execute()
}

async function deletePromptAuthor(tx: Tx, promptName: string): Promise<void> {
  await tx.deleteFrom('prompt_author').where('name', '=', promptName).execute()
}

/** The names of admins, for people who need something that only admins can do. */
export async function listAdminNames(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('app_user')
    .select('name')
    .where('role', '=', 'admin')
    .where('deactivated_at', 'is', null)
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

function selectAuthors(db: Db) {
  return db
    .selectFrom('prompt_author')
    .innerJoin('app_user', 'app_user.id', 'prompt_author.author_id')
    .select([
      'prompt_author.name as promptName',
      'app_user.id',
      'app_user.name',
      'prompt_author.sha256s',
    ])
}
