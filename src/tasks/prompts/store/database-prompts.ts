import type { Db, Tx } from '../../../db/database.ts'
import { ServiceError } from '../../../errors.ts'
import {
  deleteStoredFile,
  insertStoredFile,
  inTransaction,
  isBelowStoredFile,
  isStoredFolder,
  listStoredFiles,
  openStoredFile,
  replaceStoredFile,
  lockNewPaths,
} from '../../../projects/files/store/stored-files.ts'
import { readSamplePrompts } from '../prompt-files.ts'
import { isPromptName, PROMPT_NAME_RULE_TEXT } from '../prompt-name.ts'
import {
  MAX_PROMPT_BYTES,
  PROMPTS_FOLDER,
  TOO_LARGE_MESSAGE,
  type FoundPrompt,
  type PromptFiles,
} from './prompt-storage.ts'

/** Prompts in the database, with the same rules as files in a folder. */
export function createDatabasePrompts(db: Db): PromptFiles {
  return {
    description: 'the database',
    inTransaction: (tx) => createDatabasePrompts(tx),
    async read(name) {
      if (!isPromptName(name)) return { state: 'unreadable', message: PROMPT_NAME_RULE_TEXT }
      await using file = await openStoredFile(db, toPath(name), MAX_PROMPT_BYTES)
      if (file === null) return { state: 'missing' }
      if (file.size > MAX_PROMPT_BYTES) return { state: 'unreadable', message: TOO_LARGE_MESSAGE }
      return { state: 'found', bytes: await file.read() }
    },
    async list() {
      const found = new Map<string, FoundPrompt>()
      for await (const { path } of listStoredFiles(db, PROMPTS_FOLDER)) {
        const prompt = toFoundPrompt(path.slice(PROMPTS_FOLDER.length + 1))
        if (prompt !== null) found.set(prompt.name, prompt)
      }
      return [...found.values()]
    },
    write: (name, text) =>
      inTransaction(db, async (tx) => {
        const path = toPath(name)
        await lockNewPaths(tx, PROMPTS_FOLDER)
        if ((await isBelowStoredFile(tx, path)) || (await isStoredFolder(tx, path))) {
          throw new ServiceError('path_taken', {
            text: 'A folder or file that is not a prompt has this name',
          })
        }
        await replaceStoredFile(tx, { path, contents: [text] })
      }),
    remove: async (name) => void (await deleteStoredFile(db, toPath(name))),
    addSamplesIfEmpty: () => inTransaction(db, addSamplesIfEmpty),
  }
}

async function addSamplesIfEmpty(tx: Tx): Promise<void> {
  // With the lock, nodes that start together add them only once.
  await lockNewPaths(tx, PROMPTS_FOLDER)
  if (await isStoredFolder(tx, PROMPTS_FOLDER)) return
  for (const [name, bytes] of await readSamplePrompts())
    await insertStoredFile(tx, { path: toPath(name), contents: [bytes] })
}

function toPath(name: string): string {
  return `${PROMPTS_FOLDER}/${name}.md`
}

/** The entry that a folder would show for this file; if a folder has a bad name, only that folder. Null for others. */
function toFoundPrompt(path: string): FoundPrompt | null {
  const parts = path.split('/')
  if (parts.some((part) => part.startsWith('.'))) return null
  const folders = parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join('/'))
  const badFolder = folders.find((folder) => !isPromptName(folder))
  if (badFolder !== undefined) return { name: badFolder, problem: PROMPT_NAME_RULE_TEXT }
  return /\.md$/i.test(path) ? { name: path.replace(/\.md$/, ''), problem: null } : null
}
