import type { Viewer } from '../../../access/viewer.ts'
import type { ModelSettings } from '../../../ai/providers.ts'
import type { Db } from '../../../db/database.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { DocumentReaderOpener } from '../../../projects/document-reader.ts'
import type { ToolServers } from '../../tool-servers/tool-server-settings.ts'
import { findSettingProblems } from '../check-prompts.ts'
import type { ParsedPrompt } from '../parse-prompt.ts'
import { readSamplePromptHashes } from '../sample-prompts.ts'
import type { TemplateRenderer } from '../template/template-renderer.ts'
import { createCheckPlaces } from './check-places.ts'
import { checkPromptText } from './find-prompt-notes.ts'
import { createPromptPreviewer, type PromptPreviewer } from './preview-prompt.ts'
import { listAdminNames } from './prompt-authors.ts'
import { listPromptGallery, type GalleryPrompt } from './prompt-gallery.ts'
import { createPromptStore, type PromptStore } from './prompt-store.ts'
import { createTemplateCheck } from './template-check.ts'
import type { PromptFiles } from '../store/prompt-storage.ts'

/** Everything that people do with prompts in the console. */
export interface PromptEditing {
  store: PromptStore
  preview: PromptPreviewer
  gallery(viewer: Viewer): Promise<GalleryPrompt[]>
  /** The names of some admins, for people who need a model set up. */
  adminNames(): Promise<string[]>
}

type Parts = {
  db: Db
  clock: Clock
  promptFiles: PromptFiles
  toolServers: ToolServers
  models: ModelSettings
  checkRenderer: TemplateRenderer
  previewRenderer: TemplateRenderer
  openDocumentReader: DocumentReaderOpener
  hasDiskSpace(): boolean
}

const MAX_ADMIN_NAMES = 3

export async function createPromptEditing(parts: Parts): Promise<PromptEditing> {
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
    gallery: (viewer) =>
      listPromptGallery(
        { ...parts, builtIns, checkTemplate, findSettingProblems: findProblems },
        viewer,
      ),
    adminNames: () => listAdminNames(db, MAX_ADMIN_NAMES),
  }
}
