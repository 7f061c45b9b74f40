import { z } from 'zod'
import { MAX_PROMPT_BYTES } from '../../tasks/prompts/store/prompt-storage.ts'
import { RequestWarnings, NullableText } from './common.ts'
import { PROMPT_REFUSALS } from './values.ts'

/** Shapes of the console's prompt routes. The public API only lists prompts. */

export const PromptFileParams = z.object({ '*': z.string().min(1).max(200) })

/** In characters. The service counts the bytes. */
const text = z.string().max(MAX_PROMPT_BYTES)

export const WritePromptBody = z.object({ text })
export const PreviewPromptBody = z.object({
  text,
  /** The meeting to fill the variables with. Without it, the variables of a run that has no meeting. */
  meetingId: z.string().min(1).max(200).optional(),
})

const refusal = z.enum(PROMPT_REFUSALS).nullable()
const tasks = z.array(z.string())

export const GalleryPrompt = z.object({
  name: z.string(),
  description: NullableText,
  model: NullableText,
  builtin: NullableText,
  project: NullableText,
  tools: z.array(z.string()),
  variables: z.array(z.string()),
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
  modelProblem: NullableText,
  isBuiltIn: z.boolean(),
  refusal,
  authorName: NullableText,
  tasks,
  hasHiddenTasks: z.boolean(),
})
export const PromptGalleryResponse = z.object({
  prompts: z.array(GalleryPrompt),
  /** The people that a member can ask to set up a model. */
  admins: z.array(z.string()),
})

export const PromptFileResponse = z.object({
  prompt: z.object({
    name: z.string(),
    text: z.string(),
    etag: z.string(),
    refusal,
    authorName: NullableText,
    tasks,
    hasHiddenTasks: z.boolean(),
  }),
})
export const WrittenPromptResponse = z.object({
  name: z.string(),
  etag: z.string(),
  warnings: RequestWarnings,
})

export const TryPromptBody = z.object({ promptName: z.string().min(1).max(200) })
export const TryPromptResponse = z.object({ executionId: z.string(), warnings: RequestWarnings })

export const PromptPreviewResponse = z.object({
  notes: z.array(
    z.object({
      severity: z.enum(['error', 'warning']),
      line: z.int().nullable(),
      message: z.string(),
    }),
  ),
  variables: z.array(z.string()),
  modelProblem: NullableText,
  rendered: z.object({ text: z.string(), length: z.int(), tokens: z.int() }).nullable(),
  failure: NullableText,
  warnings: RequestWarnings,
})

export type ApiGalleryPrompt = z.input<typeof GalleryPrompt>
export type ApiPromptFile = z.input<typeof PromptFileResponse>['prompt']
export type ApiPromptPreview = z.input<typeof PromptPreviewResponse>
export type ApiPromptNote = ApiPromptPreview['notes'][number]
