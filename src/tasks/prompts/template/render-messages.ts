import type { TemplateAnalysis } from './analyze-template.ts'
import type { TemplateInputs } from './template-variables.ts'

/** A transcript without the function that reads its text. */
export type SentTranscript = Omit<TemplateInputs['transcripts'][number], 'read'>

/** A template to render. Texts of transcripts are not sent: the worker asks for those that the template uses. */
export type RenderRequest = {
  body: string
  firstLine: number
  inputs: Omit<TemplateInputs, 'transcripts'> & { transcripts: SentTranscript[] }
}

export type MessageToRenderWorker =
  | { type: 'render'; request: RenderRequest }
  | { type: 'analyze'; body: string; firstLine: number }
  | { type: 'text'; readId: number; text: string }
  | { type: 'unreadable'; readId: number; message: string }

export type MessageFromRenderWorker =
  /** Asks for the text of the transcript at this index. */
  | { type: 'read'; readId: number; index: number }
  | { type: 'rendered'; text: string }
  | { type: 'analyzed'; analysis: TemplateAnalysis }
  /** The template is invalid or exceeds a limit. */
  | { type: 'invalid'; message: string; line: number | null }
  | { type: 'failed'; error: unknown }
