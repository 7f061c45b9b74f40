import { join } from 'node:path'

/** The folder of all prompts, inside the data folder. */
export function toPromptsFolderPath(root: string): string {
  return join(root, 'scheduled-prompts')
}
