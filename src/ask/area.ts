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
import type { AnswerPassage, CitedLine, ModelCost } from './answer.ts'
import { NO_COST } from './checked-answer.ts'
import { numberLines, type CitableLines } from './citable-lines.ts'
import { MAX_RANKED_PASSAGES, rankPassages } from './rank-passages.ts'
import {
  listCitedLines,
  NO_RECAP_SENTENCES,
  toRecapSentences,
  type LinePosition,
  type RecapSentences,
} from './recap-answer.ts'
import {
  findStatements,
  type FoundStatements,
  type StatementSource,
} from './recap-questions/find-statements.ts'

/** A question, and where to look for its answer. */
type AskRequest = {
  question: string
  project?: string | undefined
  meetingId?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export type AskListener = AnswerListener & {
  /**
   * Called when the passages were found and the question is being answered from them. `lines` are all lines that the
   * answer may cite.
   */
  onPassages(passages: AnswerPassage[], lines: readonly CitedLine[]): void
}

type Parts = StatementSource & {
  clock: Clock
  log: Log
  /** Null if no language model is configured for questions. */
  model: AnswerModel | null
  findPassagesForQuestion(viewer: Viewer, request: QuestionRequest): Promise<QuestionPassage[]>
  /** The segments that say what a meeting was about, most important first. */
  listCitedSegments(meetingId: string): Promise<number[]>
  /** Leaves out lines that the viewer may not read. */
  loadSegmentPassages(viewer: Viewer, lines: readonly LinePosition[]): Promise<QuestionPassage[]>
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
/** If the model takes longer to order the passages, they keep the order of the search. */
const RANK_TIMEOUT_MS = 10_000
/** How many questions a node answers at a time, including the search for their passages. */
const MAX_CONCURRENT_ANSWERS = 16
const RETRY_AFTER_SECONDS = 5

export function createAskArea(parts: Parts) {
  const { timeoutMs = ANSWER_TIMEOUT_MS } = parts
  let running = 0
  return {
    /**
     * Answers a question from what the viewer may read. If the project or meeting does not exist, or too many questions
     * are being answered, throws before it calls `onPassages`.
     */
    async run(viewer: Viewer, request: AskRequest, listener: AskListener, signal: AbortSignal) {
      if (running >= MAX_CONCURRENT_ANSWERS) {
        throw new ServiceError('too_many_requests', {
          text: `The service already answers ${MAX_CONCURRENT_ANSWERS} questions`,
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      }
      running += 1
      try {
        const deadline = performance.now() + timeoutMs
        const lines = await findLines(parts, viewer, request, { timeoutMs, signal })
        const citable = lines.sources.flatMap((source) => source.lines.map(({ line }) => line))
        listener.onPassages(lines.passages, citable)
        const { question } = request
        return await answerFromPassages(
          { ...parts, timeoutMs: Math.max(0, deadline - performance.now()) },
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

export type AskArea = ReturnType<typeof createAskArea>

type AnswerSources = CitableLines & {
  recap: RecapSentences
  /** What the model has used so far. */
  cost: ModelCost
}

async function findLines(
  parts: Parts,
  viewer: Viewer,
  request: AskRequest,
  limits: { timeoutMs: number; signal: AbortSignal },
): Promise<AnswerSources> {
  const { question, project, meetingId, from, to } = request
  if (from !== undefined && to !== undefined && from > to) {
    const message = 'Must not be before from'
    throw new ServiceError('invalid_request', { details: [{ path: 'to', message }] })
  }
  if (project !== undefined) await parts.requireProjectExists(project)
  if (meetingId !== undefined) await parts.requireMeetingExists(meetingId)
  const projects = project === undefined ? undefined : [project]
  const { model, log } = parts
  const ranker = model === null || (await model.isBudgetUsedUp()) ? null : model
  const limit = ranker === null ? MAX_PASSAGES : MAX_RANKED_PASSAGES
  const [candidates, statements] = await Promise.all([
    parts.findPassagesForQuestion(viewer, { question, projects, meetingId, from, to, limit }),
    findStatements(parts, viewer, request),
  ])
  // The order of few passages does not matter, because the model gets all of them.
  const isRanked = ranker !== null && candidates.length > MAX_PASSAGES
  const timeoutMs = Math.min(limits.timeoutMs, RANK_TIMEOUT_MS)
  const { passages, cost } = isRanked
    ? await rankPassages({ ...limits, model: ranker, log, timeoutMs }, question, candidates)
    : { passages: candidates, cost: NO_COST }
  const found = passages.slice(0, MAX_PASSAGES)
  const keys = await findKeyPassages(parts, viewer, request, { found, statements })
  const lines = numberLines(found, keys)
  const recap = statements === null ? NO_RECAP_SENTENCES : toRecapSentences(statements, lines)
  return { ...lines, recap, cost }
}

type Found = { found: readonly QuestionPassage[]; statements: FoundStatements | null }

/**
 * The lines that the statements of recaps cite, and for a model also what the meeting was about. Needed for a question
 * such as "What was decided?", whose words rarely occur in the answer. Only a model can tell if what the meeting was
 * about answers another question.
 */
async function findKeyPassages(
  { model, listCitedSegments, loadSegmentPassages }: Parts,
  viewer: Viewer,
  { meetingId, project, from, to }: AskRequest,
  { found, statements }: Found,
): Promise<QuestionPassage[]> {
  const keyOf = ({ meetingId: id, number }: { meetingId: string | null; number: number }) =>
    `${id} ${number}`
  const known = new Set(
    found.flatMap(({ meetingId: id, number, before, after }) =>
      [number, ...[...before, ...after].map((text) => text.number)].map((line) =>
        keyOf({ meetingId: id, number: line }),
      ),
    ),
  )
  const ofMeeting =
    model === null || meetingId === undefined
      ? []
      : (await listCitedSegments(meetingId)).map((number) => ({ meetingId, number }))
  const isUnknown = (line: LinePosition) => !known.has(keyOf(line))
  const lines = [
    ...listCitedLines(statements?.statements ?? []),
    ...ofMeeting.filter(isUnknown).slice(0, MAX_KEY_SEGMENTS),
  ].filter(isUnknown)
  const unique = [...new Map(lines.map((line) => [keyOf(line), line])).values()]
  const passages = await loadSegmentPassages(viewer, unique)
  return passages.filter(
    (passage) =>
      (project === undefined || passage.project === project) &&
      (from === undefined || passage.at >= from) &&
      (to === undefined || passage.at < to),
  )
}
