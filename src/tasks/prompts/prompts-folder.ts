import { join } from 'node:path'

/** The folder of all prompts, inside the data folder. */
export function toPromptsFolderPath(dataFolder: string): string {
  return join(dataFolder, 'scheduled-prompts')
}
