import type { PromptRefusal } from '../../../access/rules.ts'
import type { Viewer } from '../../../access/viewer.ts'
import type { Db } from '../../../db/database.ts'
import { listPrompts, type ListedPrompt } from '../prompt-files.ts'
import type { PromptProblem, PromptSettings } from '../prompt-settings.ts'
import type { ParsedPrompt } from '../parse-prompt.ts'
import type { TemplateCheck } from './template-check.ts'
import { authorOfText, listPromptAuthors } from './prompt-authors.ts'
import { refusalOf } from './prompt-store.ts'
import { listPromptUse, noPromptUse, type PromptUse } from './prompt-use.ts'
import type { PromptFiles } from '../store/prompt-storage.ts'

/** A prompt in the gallery: what it needs, who may change it and which tasks use it. */
export type GalleryPrompt = {
  name: string
  settings: PromptSettings | null
  /** The variables that its template uses. */
  variables: string[]
  /** Why it cannot run, apart from a missing model. */
  problems: PromptProblem[]
  /** Which setting of a model is missing; null when it can run. */
  modelProblem: string | null
  isBuiltIn: boolean
  refusal: PromptRefusal | null
  authorName: string | null
  use: PromptUse
}

type Parts = {
  db: Db
  promptFiles: PromptFiles
  builtIns: ReadonlyMap<string, string>
  checkTemplate: TemplateCheck
  findSettingProblems(prompt: ParsedPrompt): PromptProblem[]
}

/** All prompts in the folder, by name. */
export async function listPromptGallery(parts: Parts, viewer: Viewer): Promise<GalleryPrompt[]> {
  const variablesByName = new Map<string, string[]>()
  const listed = await listPrompts(parts.promptFiles, async (prompt) => {
    const { notes, variables } = await parts.checkTemplate(prompt)
    variablesByName.set(prompt.name, variables)
    const errors = notes.filter(({ severity }) => severity === 'error')
    return [
      ...parts.findSettingProblems(prompt),
      ...errors.map(({ line, message }) => ({
        path: line === null ? '' : `line ${line}`,
        message,
      })),
    ]
  })
  const authors = await listPromptAuthors(parts.db)
  const uses = await listPromptUse(parts.db, viewer)
  return listed.map((prompt) => {
    const { name, sha256 } = prompt
    const author = authorOfText(authors.get(name) ?? null, sha256)
    const use = uses.get(name) ?? noPromptUse()
    return {
      ...splitProblems(prompt),
      name,
      settings: prompt.settings,
      variables: variablesByName.get(name) ?? [],
      isBuiltIn: sha256 !== null && parts.builtIns.get(name) === sha256,
      refusal: refusalOf(viewer, { ...parts, name, sha256, author, use }),
      authorName: author?.name ?? null,
      use,
    }
  })
}

function splitProblems({
  problems,
}: ListedPrompt): Pick<GalleryPrompt, 'problems' | 'modelProblem'> {
  return {
    problems: problems.filter(({ path }) => path !== 'model'),
    modelProblem: problems.find(({ path }) => path === 'model')?.message ?? null,
  }
}
