import type { Tx } from '../../../db/database.ts'

export const MAX_PROMPT_BYTES = 256 * 1024

/** The folder of all prompts, inside the data folder. */
export const PROMPTS_FOLDER = 'scheduled-prompts'

export const TOO_LARGE_MESSAGE = `The file is larger than ${MAX_PROMPT_BYTES / 1024} KiB`

export type PromptFile =
  | { state: 'found'; bytes: Buffer }
  | { state: 'missing' }
  /** `message` says why, for example that the file is a link. */
  | { state: 'unreadable'; message: string }

/** An entry in the prompts folder. `problem` says why it cannot be a prompt; null if it can. */
export type FoundPrompt = { name: string; problem: string | null }

/** The prompts' files: in the data folder, where people may change them by hand, or in the database. */
export interface PromptFiles {
  /** Where the files are, for messages. */
  readonly description: string
  /** For use inside a transaction. In the database, changes are then part of it. */
  inTransaction(tx: Tx): PromptFiles
  /** Reads the bytes of a prompt's file, even if its text has problems. */
  read(name: string): Promise<PromptFile>
  /** Lists the files of prompts in no order, without reading them. */
  list(): Promise<FoundPrompt[]>
  /** Creates or replaces a prompt's file. The caller must check the name and hold the prompt's lock. */
  write(name: string, text: string): Promise<void>
  /** Removes a prompt's file, and its folders if they are then empty. */
  remove(name: string): Promise<void>
  /** Adds the sample prompts if there are no files. */
  addSamplesIfEmpty(): Promise<void>
}
