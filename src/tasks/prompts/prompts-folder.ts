import { join } from 'node:path'

/** Where the prompts of an instance lie, by its data folder. */
export function promptsFolder(root: string): string {
  return join(root, 'scheduled-prompts')
}
