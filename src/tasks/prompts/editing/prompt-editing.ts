import type { AreaContext } from '../../../db/context.ts'
import type { PromptRefusal } from '../../../access/rules.ts'
import type { Viewer } from '../../../access/viewer.ts'
import type { ModelSettings } from '../../../ai/providers.ts'
import type { BriefCollector } from '../../../brief/collect-brief.ts'
import type { Db } from '../../../db/database.ts'
import type { DocumentReaderOpener } from '../../../projects/document-reader.ts'
import type { ToolServers } from '../../tool-servers/tool-server-settings.ts'
import { findSettingProblems } from '../check-prompts.ts'
import type { ParsedPrompt, PromptProblem, PromptSettings } from '../parse-prompt.ts'
import { readSamplePromptHashes, listPrompts, type ListedPrompt } from '../prompt-files.ts'
import type { PromptFiles } from '../store/prompt-storage.ts'
import type { TemplateRenderer } from '../template/template-renderer.ts'
import {
  createCheckPlaces,
  checkPromptText,
  createTemplateCheck,
  type TemplateCheck,
} from './find-prompt-notes.ts'
import { createPromptPreviewer } from './preview-prompt.ts'
import {
  listAdminNames,
  createPromptStore,
  authorOfText,
  listPromptAuthors,
  refusalOf,
} from './prompt-store.ts'
import { listPromptUse, noPromptUse, type PromptUse } from './prompt-use.ts'

type Parts = AreaContext & {
  promptFiles: PromptFiles
  toolServers: ToolServers
  models: ModelSettings
  checkRenderer: TemplateRenderer
  previewRenderer: TemplateRenderer
  openDocumentReader: DocumentReaderOpener
  collectBrief: BriefCollector
  hasDiskSpace(): boolean
}

const MAX_ADMIN_NAMES = 3

/** A prompt in the gallery: what it needs, who may change it and which tasks use it. */
export type GalleryPrompt = {
  name: string
  settings: PromptSettings | null
  /** The variables in its template. */
  variables: string[]
  /** Why it cannot run, apart from a missing model. */
  problems: PromptProblem[]
  /** The model setting that is missing; null if it can run. */
  modelProblem: string | null
  isBuiltIn: boolean
  refusal: PromptRefusal | null
  authorName: string | null
  use: PromptUse
}

type PromptGalleryParts = {
  db: Db
  promptFiles: PromptFiles
  builtIns: ReadonlyMap<string, string>
  checkTemplate: TemplateCheck
  findSettingProblems(prompt: ParsedPrompt): PromptProblem[]
}

/** Everything that people do with prompts in the console. */
export async function createPromptEditing(parts: Parts) {
  const { db, previewRenderer } = parts
  const builtIns = await readSamplePromptHashes()
  const findProblems = ({ settings }: ParsedPrompt) =>
    findSettingProblems(settings, parts.toolServers, parts.models)
  const withPlace = createCheckPlaces()
  const checkText = (text: string) => checkPromptText(text, previewRenderer, findProblems)
  const checkTemplate = createTemplateCheck(parts.checkRenderer)
  const findModelProblem = (prompt: ParsedPrompt) =>
    findProblems(prompt).find(({ path }) => path === 'model')?.message ?? null
  return {
    store: createPromptStore({
      ...parts,
      builtIns,
      checkText: (viewer, text) => withPlace(viewer, () => checkText(text)),
    }),
    preview: createPromptPreviewer({
      ...parts,
      renderer: previewRenderer,
      withPlace,
      checkText,
      findModelProblem,
    }),
    gallery: (viewer: Viewer) =>
      listPromptGallery(
        { ...parts, builtIns, checkTemplate, findSettingProblems: findProblems },
        viewer,
      ),
    /** The names of some admins, for people who need a model to be set up. */
    adminNames: () => listAdminNames(db, MAX_ADMIN_NAMES),
  }
}

export type PromptEditing = Awaited<ReturnType<typeof createPromptEditing>>

/** All prompts in the folder, by name. */
async function listPromptGallery(
  parts: PromptGalleryParts,
  viewer: Viewer,
): Promise<GalleryPrompt[]> {
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
