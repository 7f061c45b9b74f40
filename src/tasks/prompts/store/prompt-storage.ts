import type { Tx } from '../../../db/database.ts'

export const MAX_PROMPT_BYTES = 256 * 1024

/** The folder of all prompts, inside the data folder. */
export const PROMPTS_FOLDER = 'scheduled-prompts'

export const TOO_LARGE_MESSAGE = `The file is larger than ${MAX_PROMPT_BYTES / 1024} KiB`

export type PromptFile =
  | { state: 'found'; bytes: Buffer }
  | { state: 'missing' }
  /** `message` says why, such as that the file is a link. */
  | { state: 'unreadable'; message: string }

/** An entry in the folder of prompts. `problem` says why it cannot be a prompt; null when it can. */
export type FoundPrompt = { name: string; problem: string | null }

/** The files of prompts: in the data folder, where people may change them by hand, or in the database. */
export interface PromptFiles {
  /** Where they are, for messages. */
  readonly description: string
  /** What to use inside a transaction: in the database, changes are then a part of it. */
  inTransaction(tx: Tx): PromptFiles
  /** Reads the bytes of a prompt's file, also of one whose text has problems. */
  read(name: string): Promise<PromptFile>
  /** Lists the files of prompts, in no order, without reading them. */
  list(): Promise<FoundPrompt[]>
  /** Creates or replaces the file of a prompt. The caller has checked the name and holds the lock of the prompt. */
  write(name: string, text: string): Promise<void>
  /** Removes the file of a prompt, and its folders that are empty then. */
  remove(name: string): Promise<void>
  /** Adds the sample prompts when there is no file at all. */
  addSamplesIfEmpty(): Promise<void>
}
