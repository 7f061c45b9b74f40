import type { Viewer } from '../access/viewer.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import type {
  QuestionPassage,
  QuestionRequest,
} from '../projects/search/questions/find-passages.ts'
import type { AnswerModel } from './answer-prompt.ts'
import { answerFromPassages, type AnswerListener } from './answer-question.ts'
import type { Answer, AnswerPassage } from './answer.ts'
import { numberLines, type CitableLines } from './citable-lines.ts'

/** A question, and where to look for its answer. */
type AskRequest = {
  question: string
  project?: string | undefined
  meetingId?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export type AskListener = AnswerListener & {
  /** Called when the passages were found and the question is being answered from them. */
  onPassages(passages: AnswerPassage[]): void
}

export interface AskArea {
  /**
   * Answers a question from what the viewer may read. If the project or meeting does not exist, or too many questions
   * are being answered, throws before it calls `onPassages`.
   */
  run(
    viewer: Viewer,
    request: AskRequest,
    listener: AskListener,
    signal: AbortSignal,
  ): Promise<Answer>
}

type Parts = {
  clock: Clock
  log: Log
  /** Null if no language model is configured for questions. */
  model: AnswerModel | null
  findPassagesForQuestion(viewer: Viewer, request: QuestionRequest): Promise<QuestionPassage[]>
  /** The segments that say what a meeting was about, most important first. */
  listKeySegments(meetingId: string): Promise<number[]>
  loadSegmentPassages(
    viewer: Viewer,
    meetingId: string,
    numbers: readonly number[],
  ): Promise<QuestionPassage[]>
  requireProjectExists(id: string): Promise<void>
  requireMeetingExists(id: string): Promise<void>
  /** How long a model may take. Tests set less. */
  timeoutMs?: number
}

/** The model gets the lines of this many found texts. More cost more, but hardly ever contain more answers. */
const MAX_PASSAGES = 10
/** The model gets at most this many lines about what a meeting was about. */
const MAX_KEY_SEGMENTS = 30
/** Shorter than the client's request timeout, so that the passages still arrive if the model is late. */
const ANSWER_TIMEOUT_MS = 50_000
/** How many questions a node answers at a time, including the search for their passages. */
const MAX_CONCURRENT_ANSWERS = 16
const RETRY_AFTER_SECONDS = 5

export function createAskArea(parts: Parts): AskArea {
  const { timeoutMs = ANSWER_TIMEOUT_MS } = parts
  let running = 0
  return {
    async run(viewer, request, listener, signal) {
      if (running >= MAX_CONCURRENT_ANSWERS) {
        throw new ServiceError('too_many_requests', {
          text: `The service already answers ${MAX_CONCURRENT_ANSWERS} questions`,
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      }
      running += 1
      try {
        const lines = await findLines(parts, viewer, request)
        listener.onPassages(lines.passages)
        const { question } = request
        return await answerFromPassages(
          { ...parts, timeoutMs },
          { question, ...lines },
          listener,
          signal,
        )
      } finally {
        running -= 1
      }
    },
  }
}

async function findLines(parts: Parts, viewer: Viewer, request: AskRequest): Promise<CitableLines> {
  const { question, project, meetingId, from, to } = request
  if (from !== undefined && to !== undefined && from > to) {
    const message = 'Must not be before from'
    throw new ServiceError('invalid_request', { details: [{ path: 'to', message }] })
  }
  if (project !== undefined) await parts.requireProjectExists(project)
  if (meetingId !== undefined) await parts.requireMeetingExists(meetingId)
  const projects = project === undefined ? undefined : [project]
  const found = await parts.findPassagesForQuestion(viewer, {
    question,
    projects,
    meetingId,
    from,
    to,
    limit: MAX_PASSAGES,
  })
  const keys = await findKeyPassages(parts, viewer, request, found)
  return numberLines(found, keys)
}

/**
 * What a meeting was about. Needed for a question such as "What was decided?", whose words rarely occur in the answer.
 * Only a model can tell if these lines answer the question, so only a model gets them.
 */
async function findKeyPassages(
  { model, listKeySegments, loadSegmentPassages }: Parts,
  viewer: Viewer,
  { meetingId, project, from, to }: AskRequest,
  found: readonly QuestionPassage[],
): Promise<QuestionPassage[]> {
  if (model === null || meetingId === undefined) return []
  const known = new Set(
    found.flatMap(({ number, before, after }) => [
      number,
      ...[...before, ...after].map((text) => text.number),
    ]),
  )
  const numbers = (await listKeySegments(meetingId)).filter((number) => !known.has(number))
  const first = numbers.slice(0, MAX_KEY_SEGMENTS)
  const passages = await loadSegmentPassages(viewer, meetingId, first)
  return passages.filter(
    (passage) =>
      (project === undefined || passage.project === project) &&
      (from === undefined || passage.at >= from) &&
      (to === undefined || passage.at < to),
  )
}
